"""A grid drawn with characters, in the first of its forms that fits a width and a height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from dgsolve.drawing.graph import graph_of
from dgsolve.drawing.looks import CLUE, GIVEN, SETTLED, Face, Run, base_of, beyond
from dgsolve.drawing.squares import Squares, squares_of
from dgsolve.drawing.text_frame import TextFrame
from dgsolve.drawing.text_graph import TextGraph
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
    forms = list(_forms(layout, width))
    return next((form for form in forms if form.width <= width), forms[-1]).lines(faces, width)


def _forms(layout: GridLayout, width: int) -> Iterator[Form]:
    """The one that shows most first."""
    squares, graph = squares_of(layout), _graph(layout, width)
    if squares is not None:
        frames = (_OfSquares(squares, frame) for frame in _frames(squares.layout))
        yield from (form for form in frames if not form.is_split)
    if graph is not None:
        yield graph
    yield from _frames(layout)


@lru_cache(maxsize=64)
def _frames(layout: GridLayout) -> list[TextFrame]:
    return [TextFrame(layout, TextPlan(layout, roomy=roomy, even=even)) for roomy, even in _FORMS]


@lru_cache(maxsize=64)
def _graph(layout: GridLayout, width: int) -> Form | None:
    graph = graph_of(layout)
    return None if graph is None else TextGraph(layout, graph, width)


class _OfSquares:
    """The board that the slots stand for."""

    def __init__(self, squares: Squares, frame: TextFrame) -> None:
        self._squares, self._frame, self.width = squares, frame, frame.width
        self.is_split = bool(frame.listed)  # names of regions would be listed by squares that have no names

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
            text.append(words, f"{_STILL.get(base_of(look), '')} {beyond(look)}".strip())
    return text
