"""What a rule draws on its cells; where it goes, `arrangement` works out from where the cells lie."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """slots: the cells, in the rule's own order. text: what is written there, "" for nothing."""

    slots: tuple[int, ...]
    text: str = ""


class Cage(Mark):
    """A wall around the cells, its clue in the corner ("12+"); without a clue a region, such as those of a jigsaw."""


class Total(Cage):
    """A cage of a sum; where its cells fill a line from end to end, the sum stands before it instead (kakuro)."""


class Sign(Mark):
    """Between two neighbours, as it reads from the first to the second: "<" turns with them."""


class Thermo(Mark):
    """A thermometer along the cells, from its bulb on."""


class EdgeClue(Mark):
    """Before the first of the cells of a line, outside the grid or in a hole; spaces part the runs of a nonogram."""


class Shade(Mark):
    """The cells are filled where they hold the symbol `text`."""


class Print(Mark):
    """The text is printed in each of the cells, and is seen in place of what it holds: shaded or not (hitori)."""


class Name(Cage):
    """The name of a cell that lies nowhere: named cells stand one after the other, walled, names in their corners."""


class Queens(Mark):
    """The cells are the rows of a board from the top down, and what each holds is the column of its queen."""


class Checkers(Mark):
    """The dark squares of a board; characters are too narrow for them."""


class Chart(Mark):
    """The cells are regions of a map: `text` has a line for each row of squares, and names of cells between spaces.

    What is no name of a cell is water.
    """


class Quiet(Mark):
    """What the cells hold is seen by its colour alone."""


_ALL = (Cage, Total, Sign, Thermo, EdgeClue, Shade, Print, Name, Queens, Checkers, Chart, Quiet)
KINDS: dict[str, type[Mark]] = {kind.__name__: kind for kind in _ALL}
_MIRRORED = {"<": ">", "≤": "≥"}


def mirrored(sign: str) -> str:
    """A sign as it reads from the second of its cells to the first."""
    return _MIRRORED.get(sign, sign)


def printable(mark: Mark) -> Mark:
    """Without what would move the cursor or colour the rest: cells may have any names."""
    if mark.text.isprintable():
        return mark
    return type(mark)(mark.slots, "".join(sign if sign.isprintable() else "\ufffd" for sign in mark.text))
