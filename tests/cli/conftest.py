"""`dgsolve sudoku` run in the test's own process, for all tests of the command line."""

from collections.abc import Callable

import pytest

from dgsolve.cli.app import run
from tests.cli.ran import Ran


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`dgsolve sudoku ARGUMENTS` in this process, by the random denoiser with few steps: exact search does the rest."""

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = run(["sudoku", "--denoiser", "random", "--steps", "2", *arguments])
        return Ran(code, *capsys.readouterr())

    return call
