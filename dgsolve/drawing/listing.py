"""What finds no room in a picture, in words below it: cells by name, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from dgsolve.drawing.places import Place

MOST_CELLS = 10  # of one clue; the middle of more is left out
MOST_CLUES = 40  # of one picture; of more, the first and how many follow
_FIXED = "\u00a0"  # a space at which no line is broken


def name_of(place: Place) -> str:
    """How a place is named: r1c1 for (0, 0)."""
    return f"r{place[0] + 1}c{place[1] + 1}"


def clue_of(places: Sequence[Place], text: str) -> str:
    """A clue with its cells: "r1c1 r1c2 9+"."""
    names = list(map(name_of, places))
    if len(names) > MOST_CELLS:
        names = [*names[:2], "...", names[-1]]
    return " ".join([*names, text])


def listed(clues: Sequence[str], width: int) -> list[str]:
    """The clues in lines of `width` columns, none of them broken."""
    more = len(clues) - MOST_CLUES
    said = [*clues[:MOST_CLUES], f"and {more} more"] if more > 0 else clues
    whole = ", ".join(clue.replace(" ", _FIXED) for clue in said)
    return [line.replace(_FIXED, " ") for line in wrap(whole, max(width, 20))]
