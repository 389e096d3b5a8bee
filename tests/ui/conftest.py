"""Frames to look at, and consoles that do not depend on where the tests run."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from dgsolve.problem import Problem, Report
from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Frame


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Word(Problem):
    """A problem that is no grid: letters in slots."""

    name = "word"

    def canvas(self, vocabulary, *, propagate=True):
        raise NotImplementedError

    def decode(self, values):
        return "".join("abc<&"[value] for value in values)

    def check(self, answer):
        return Report()

    def describe(self):
        return "a word"

    def __str__(self):
        return "?????"


class Draft(Word):
    """A text whose slots spell the pieces; those of `certain` are forced. -1 is a slot after the text."""

    def __init__(self, spelled, certain):
        self.spelled, self.certain = spelled, certain

    def pieces(self, values):
        return [self.spelled[value] for value in values if value >= 0]

    def forced(self, values):
        return [value in self.certain for value in values if value >= 0]

    def decode(self, values):
        return "".join(self.pieces(values))

    def describe(self):
        return "six pieces"


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("CI", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def terminal():
    return Terminal()


@pytest.fixture
def word():
    return Word()


@pytest.fixture
def draft():
    return Draft(['{"', 'a":', ' "', "x", "é", '"}'], {0, 1, 5})


@pytest.fixture
def make_frame():
    def frame(problem, step=3, values=None, **changed):
        """Of three open slots the first is accepted, the second unsure, the third faulty."""
        slots = len(values) if values is not None else len(problem.givens)
        if values is None:
            values = tuple((given or slot % problem.size + 1) - 1 for slot, given in enumerate(problem.givens))
        locked = tuple(given > 0 for given in getattr(problem, "givens", (0,) * slots))
        fields = {
            "values": tuple(values),
            "probability": tuple(1.0 if held else 0.1 + slot % 9 / 10 for slot, held in enumerate(locked)),
            "entropy": tuple(0.0 if held else 0.5 for held in locked),
            "accepted": tuple(held or slot % 3 == 0 for slot, held in enumerate(locked)),
            "locked": locked,
            "faulty": tuple(not held and slot % 3 == 2 for slot, held in enumerate(locked)),
            "canvas": 1,
            "canvases": 8,
            "restarts": 2,
            "seconds": 0.25,
        }
        return Frame(problem, step, **fields | changed)

    return frame


@pytest.fixture
def small():
    return Sudoku((1, 0, 0, 0) * 4, 2, 2)


@pytest.fixture
def screen():
    """A recorded console of a given width; `options` go to rich."""

    def console(width, **options):
        return Console(file=io.StringIO(), width=width, **{"force_terminal": True, "color_system": "256"} | options)

    return console
