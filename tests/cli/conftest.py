"""`dgsolve sudoku` run in the test's own process, for all tests of the command line."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from dgsolve.cli.app import run


class Ran(NamedTuple):
    """The exit code and what went to stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def envelopes(self) -> list[dict]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`dgsolve sudoku ARGUMENTS` in this process, by the random denoiser with few steps: exact search does the rest."""

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = run(["sudoku", "--denoiser", "random", "--steps", "2", *arguments])
        return Ran(code, *capsys.readouterr())

    return call
