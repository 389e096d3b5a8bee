"""What a Python function may say of its cells, and what becomes of one that is wrong."""

import sys
from collections.abc import Sequence

import numpy as np
import pytest

import dgsolve
from dgsolve.certify import SolutionCount, certify

Held = Sequence[int]


def grid(function: str) -> dgsolve.Grid:
    made = dgsolve.Grid(1, 2, values=range(2))
    made.python(made.row(0), f"{__name__}:{function}")
    return made


def numpy_says(held: Held) -> np.bool_:
    return np.all(np.array(held) == 1)


def says_why(held: Held) -> str:
    return "" if held[0] < held[1] else "they do not grow"


def nothing(held: Held) -> None:
    return None


def prints(held: Held) -> bool:
    print("a word of its own")
    return True


def whole_number(held: Held) -> int:
    return 1


def array(held: Held) -> object:
    return np.array(held) == 1


def raises(held: Held) -> bool:
    raise ValueError("no such thing")


def leaves(held: Held) -> bool:
    sys.exit(0)


@pytest.mark.parametrize(("function", "count"), [("numpy_says", 1), ("says_why", 1), ("nothing", 4), ("prints", 4)])
def test_what_is_right(function: str, count: int) -> None:
    found = certify(grid(function), want=9)
    assert len(found.solutions) == count
    assert found.status is (SolutionCount.ONE if count == 1 else SolutionCount.MANY)


@pytest.mark.parametrize("function", ["whole_number", "array"])
def test_anything_else_proves_nothing(function: str) -> None:
    with pytest.raises(dgsolve.UsageError, match="must return True or False, None or a text, not"):
        certify(grid(function))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("raises", "failed: ValueError: no such thing"),
        ("leaves", "failed: SystemExit: 0"),
        ("missing", "cannot be loaded: AttributeError: module"),
    ],
)
def test_a_function_that_fails_is_told(function: str, said: str) -> None:
    with pytest.raises(dgsolve.UsageError, match=said):
        grid(function).check([0, 1])


def test_what_it_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert not grid("prints").check([0, 1]).faults
    told = capsys.readouterr()
    assert not told.out and "a word of its own" in told.err
