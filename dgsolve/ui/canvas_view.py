"""One frame of the canvas as a picture for the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from dgsolve.drawing.ascii import in_ascii
from dgsolve.plural import counted
from dgsolve.solution import Frame
from dgsolve.ui import figures, numbers, palette
from dgsolve.ui.draft_lines import draft_lines
from dgsolve.ui.figures import Styles, in_looks
from dgsolve.ui.grid_view import GUTTER, grid_view


@dataclass(frozen=True)
class CanvasView:
    """A rich renderable of a frame: the grid or the text, and its figures below.

    Where `height` lines are too few for that, a grid has its figures beside it, or fewer of them, or fewer walls; of a
    text the end alone is drawn.
    """

    frame: Frame
    height: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        in_color = console.color_system is not None and not console.no_color
        styles = palette.IN_COLOR if in_color else palette.WITHOUT_COLOR
        layout = self.frame.problem.grid()
        if layout is None:
            notes = figures.below(self.frame, styles)
            taken = sum(len(note.wrap(console, options.max_width)) for note in notes)
            room = None if self.height is None else self.height - taken
            picture, beside = text_picture(self.frame, styles, options.max_width, room), False
        else:
            view = grid_view(self.frame, layout, styles, options.max_width, self.height)
            picture, notes, beside = Text("\n", no_wrap=True).join(view.lines), view.notes, view.beside
        if options.ascii_only:
            if layout is not None:
                picture.plain = in_ascii(picture.plain)
            picture, notes = numbers.in_ascii(picture), [numbers.in_ascii(note) for note in notes]
        yield _side_by_side(picture, notes) if beside else Group(picture, *notes)


def _side_by_side(picture: Text, notes: list[Text]) -> Table:
    table = Table.grid(padding=(0, GUTTER, 0, 0))
    table.add_row(picture, Group(*notes))
    return table


def text_picture(frame: Frame, styles: Styles, width: int, height: int | None) -> Text:
    """The draft of a text, every slot in its look; only its end where it has more than `height` lines."""
    lines = [in_looks(line, styles) for line in draft_lines(frame, width)]
    if height is not None and len(lines) > height:
        above = len(lines) - max(height - 1, 1)
        lines = [Text(f"... {counted(above, 'line')} above", styles[palette.FRAME]), *lines[above:]]
    return Text("\n", no_wrap=True).join(lines)
