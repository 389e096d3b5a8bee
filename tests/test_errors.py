"""The errors and what they say."""

import copy
import pickle

import pytest

from dgsolve import errors
from dgsolve.errors import DgsolveError, ModelUnavailableError, PuzzleError, SchemaError, UsageError, first_line


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({}, "no digit"),
        ({"file": "a.txt"}, "a.txt: no digit"),
        ({"file": "a.txt", "line": 3}, "a.txt, line 3: no digit"),
        ({"line": 3, "column": 7}, "line 3, column 7: no digit"),
        ({"file": "-", "line": 1, "column": 2}, "-, line 1, column 2: no digit"),
    ],
)
def test_puzzle_errors_name_the_place(place, said):
    error = PuzzleError("no digit", hint="Write one.", **place)
    assert (str(error), error.message, error.hint) == (said, "no digit", "Write one.")
    assert (error.file, error.line, error.column) == tuple(place.get(k) for k in ("file", "line", "column"))


def test_all_are_one_family():
    for error in (UsageError("x"), ModelUnavailableError("x"), PuzzleError("x")):
        assert isinstance(error, DgsolveError) and str(error) == "x" and error.hint == ""
    assert isinstance(UsageError("x"), ValueError)


@pytest.mark.parametrize(("said", "shown"), [("\nno file\nat all", "no file"), (" ", "ValueError")])
def test_of_foreign_errors_one_line_is_shown(said, shown):
    assert first_line(ValueError(said)) == shown


def test_a_long_pointer_does_not_bury_the_message():
    error = SchemaError("is wrong", pointer="/items" * 10_000, keyword="type")
    assert len(str(error)) < 300 and str(error).endswith("is wrong")
    assert error.pointer == "/items" * 10_000
    assert "\x1b" not in str(SchemaError("is wrong", pointer="/properties/\x1b[2J"))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
@pytest.mark.parametrize(
    "error",
    [
        errors.PuzzleError("bad", file="a.txt", line=3, hint="mend it"),
        errors.FillError("bad", pointer="/a", hint="mend it"),
        errors.BudgetError(12, 3),
        errors.IncompleteOutputError("cut", text="{", usage={"passes": 3}, timed_out=True, hint="more"),
        errors.OutputValidationError(
            "bad", attempts=(errors.Attempt("3", (errors.OutputFault("/a", "is odd"),)),), hint="other"
        ),
    ],
)
def test_errors_can_leave_a_process(error, copied):
    again = copied(error)
    assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
