"""A grid drawn with characters, in the first of its forms that fits a width and a height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from dgsolve.drawing.looks import CLUE, GIVEN, SETTLED, TINTED, Face, Run
from dgsolve.drawing.squares import Squares, squares_of
from dgsolve.drawing.text_frame import TextFrame
from dgsolve.drawing.text_plan import TextPlan
from dgsolve.problem import GridLayout

if TYPE_CHECKING:
    from rich.text import Text

_FORMS = ((True, True), (True, False), (False, False))  # roomy and even, the widest first
_STILL = {GIVEN: "bold", CLUE: "italic"}


class Form(Protocol):
    """A way to draw a layout, `width` columns wide."""

    @property
    def width(self) -> int: ...

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        """The picture of what the slots hold; clues that find no room are listed below in `width` columns."""
        ...


def drawn(layout: GridLayout, faces: Sequence[Face], width: int) -> list[list[Run]]:
    """The lines of the picture; what is wider than `width` columns is drawn close, its labels listed beneath."""
    forms = list(_forms(layout))
    return next((form for form in forms if form.width <= width), forms[-1]).lines(faces, width)


def _forms(layout: GridLayout) -> Iterator[Form]:
    """The one that shows most first."""
    squares = squares_of(layout)
    if squares is not None:
        yield from (_OfSquares(squares, frame) for frame in _frames(squares.layout))
    yield from _frames(layout)


@lru_cache(maxsize=64)
def _frames(layout: GridLayout) -> list[TextFrame]:
    return [TextFrame(layout, TextPlan(layout, roomy=roomy, even=even)) for roomy, even in _FORMS]


class _OfSquares:
    """The board that the slots stand for."""

    def __init__(self, squares: Squares, frame: TextFrame) -> None:
        self._squares, self._frame, self.width = squares, frame, frame.width

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        return self._frame.lines(self._squares.faces(faces), width)


def picture(layout: GridLayout, symbols: Sequence[str | None], width: int) -> Text:
    """The picture with what the slots hold, None where one is open; givens are bold, clues slanted."""
    from rich.text import Text

    faces = [(symbol, GIVEN if slot in layout.givens else SETTLED) for slot, symbol in enumerate(symbols)]
    text = Text(no_wrap=True)
    for number, runs in enumerate(drawn(layout, faces, width)):
        text.append("\n" if number else "")
        for words, look in runs:
            style = _STILL.get(look.removesuffix(TINTED), "")
            text.append(words, f"{style} underline".strip() if look.endswith(TINTED) else style)
    return text
