"""A grid drawn with characters, in the first of its forms that fits a width and a height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from dgsolve.drawing.graph import graph_of
from dgsolve.drawing.looks import CLUE, GIVEN, SETTLED, Face, Run, base_of, beyond
from dgsolve.drawing.lowered import lowered
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


def drawn(layout: GridLayout, faces: Sequence[Face], width: int, height: int | None = None) -> list[list[Run]]:
    """The lines of the picture; what is wider than `width` columns is drawn close, its labels listed beneath.

    What has more than `height` lines leaves out walls and says so; where that is not enough, it has more all the same.
    """
    forms = list(_forms(layout, width, height))
    narrow = [form for form in forms if form.width <= width] or forms[-1:]
    lines = narrow[0].lines(faces, width)
    for form in narrow[1:]:
        if height is None or len(lines) <= height:
            break
        lines = min(lines, form.lines(faces, width), key=len)
    return lines


def _forms(layout: GridLayout, width: int, height: int | None) -> Iterator[Form]:
    """The one that shows most first."""
    squares, graph = squares_of(layout), _graph(layout, width, height)
    if squares is not None:
        frames = (_OfSquares(squares, frame) for frame in _frames(squares.layout))
        yield from (form for form in frames if not form.is_split)
    if graph is not None:
        yield graph
    yield from _frames(layout)
    if height is not None:
        for lower, left_out in lowered(layout):
            yield from (_Lower(frame, left_out) for frame in _frames(lower))


@lru_cache(maxsize=64)
def _frames(layout: GridLayout) -> list[TextFrame]:
    return [TextFrame(layout, TextPlan(layout, roomy=roomy, even=even)) for roomy, even in _FORMS]


@lru_cache(maxsize=64)
def _graph(layout: GridLayout, width: int, height: int | None) -> Form | None:
    graph = graph_of(layout)
    return None if graph is None else TextGraph(layout, graph, width, height)


class _OfSquares:
    """The board that the slots stand for."""

    def __init__(self, squares: Squares, frame: TextFrame) -> None:
        self._squares, self._frame, self.width = squares, frame, frame.width
        self.is_split = bool(frame.listed)  # names of regions would be listed by squares that have no names

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        return self._frame.lines(self._squares.faces(faces), width)


class _Lower:
    """A frame without all of the marks, and what is missing."""

    def __init__(self, frame: TextFrame, left_out: str) -> None:
        self._frame, self._left_out, self.width = frame, left_out, frame.width

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        return [*self._frame.lines(faces, width), [(f"not drawn: {self._left_out}"[:width], CLUE)]]


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
