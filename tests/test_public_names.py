"""The public names are pinned: a new one, or a lost one, is a decision."""

import pkgutil
import subprocess
import sys

import pytest

import dgsolve

PUBLIC = {
    "BudgetError", "Choice", "DgsolveError", "Event", "Fault", "FillError", "Frame", "Generator", "Grid",
    "IncompleteOutputError", "Model", "ModelUnavailableError", "OutputValidationError", "Problem", "PuzzleError",
    "Regex", "Report", "Result", "Sampling", "SchemaError", "Solution", "Status", "Sudoku",
    "UnsatisfiableSchemaError", "UnsupportedSchemaError", "UsageError", "check", "compile", "from_transformers",
    "load", "read_puzzles", "solve", "solve_many", "steps",
}  # fmt: skip


def test_exports_are_exactly_these() -> None:
    assert set(dgsolve.__all__) == PUBLIC
    assert len(dgsolve.__all__) == len(PUBLIC)
    assert set(dir(dgsolve)) >= PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_export_loads_and_knows_its_name(name: str) -> None:
    assert getattr(dgsolve, name).__name__ == name


def test_no_submodule_shadows_an_export() -> None:
    submodules = {module.name for module in pkgutil.iter_modules(dgsolve.__path__)}
    assert submodules.isdisjoint(PUBLIC)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'unmasked'"):
        dgsolve.unmasked  # noqa: B018


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert dgsolve.__version__ == version("dgsolve")


def test_star_import_gives_the_same_names() -> None:
    code = "from dgsolve import *; import sys; print(solve.__module__, Sudoku.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["dgsolve.loop", "dgsolve.problems.sudoku"]
