"""A grid and its figures on a screen: below the grid, beside it, or as many of them as there is room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from dgsolve.drawing.text import drawn
from dgsolve.plural import counted
from dgsolve.problem import GridLayout
from dgsolve.solution import Frame
from dgsolve.ui import figures, palette
from dgsolve.ui.figures import Styles

GUTTER = 2  # columns between a grid and the figures beside it


@dataclass(frozen=True)
class GridView:
    """notes: the figures. beside: whether they stand on the right of the grid, else below it."""

    lines: list[Text]
    notes: list[Text]
    beside: bool = False

    @property
    def height(self) -> int:
        """Lines of all, as long as none of the figures is broken."""
        return max(len(self.lines), len(self.notes)) if self.beside else len(self.lines) + len(self.notes)

    def cropped(self, height: int) -> GridView:
        """The first lines of the grid, and how many there are after them, in `height` lines with the figures."""
        notes = self.notes if self.beside else figures.fewer(self.notes, 1)
        kept = max(height - 1 - (0 if self.beside else len(notes)), 1)
        more = Text(f"... {counted(len(self.lines) - kept, 'more line')}")
        return GridView([*self.lines[:kept], more], notes, self.beside)


def grid_view(frame: Frame, layout: GridLayout, styles: Styles, width: int, height: int | None) -> GridView:
    """The first of the views that fits: all that rules draw, then less of the figures, then less of what they draw."""
    views = _Views(frame, layout, styles, width)
    if height is None:
        return views.below()
    fitting = next((view for view in views.by_preference(height) if view.height <= height), None)
    return fitting or (views.aside() or views.below()).cropped(height)


class _Views:
    def __init__(self, frame: Frame, layout: GridLayout, styles: Styles, width: int) -> None:
        self._layout, self._styles, self._width = layout, styles, width
        self._faces = palette.faces(frame, layout)
        self._below, self._beside = figures.below(frame, styles), figures.beside(frame, styles)

    def below(self) -> GridView:
        return GridView(self._lines(self._width), self._below)

    def by_preference(self, height: int) -> Iterator[GridView]:
        """Of the grid as it is, then as it is on a lower screen."""
        whole = self.below()
        yield whole
        aside = self.aside()
        if aside is not None and len(aside.lines) <= len(whole.lines):  # no clue went beneath it
            yield aside
        yield GridView(whole.lines, figures.fewer(self._below, height - len(whole.lines)))
        aside = self.aside(height)
        if aside is not None:
            yield aside
        for kept in (2, 1):  # figures: walls say more than the others
            lines = self._lines(self._width, height - kept)
            yield GridView(lines, figures.fewer(self._below, height - len(lines)))

    def aside(self, height: int | None = None) -> GridView | None:
        """The figures beside the grid, where there is room on its right."""
        room = self._width - GUTTER - max(note.cell_len for note in self._beside)
        lines = self._lines(room, height)
        fits = max(line.cell_len for line in lines) <= room
        return GridView(lines, self._beside, beside=True) if fits else None

    def _lines(self, width: int, height: int | None = None) -> list[Text]:
        runs_of_lines = drawn(self._layout, self._faces, width, height)
        return [
            Text.assemble(*((words, palette.style(look, self._styles)) for words, look in runs))
            for runs in runs_of_lines
        ]
