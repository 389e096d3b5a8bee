"""One frame of the canvas as a picture for the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dgsolve.drawing.ascii import in_ascii
from dgsolve.drawing.text import drawn
from dgsolve.plural import counted
from dgsolve.problem import GridLayout
from dgsolve.solution import Frame
from dgsolve.ui import numbers, palette
from dgsolve.ui.draft_lines import draft_lines
from dgsolve.ui.palette import Run

Styles = dict[str, Style]  # by look
BAR_WIDTH = 32  # columns
GUTTER = 2


@dataclass(frozen=True)
class CanvasView:
    """A rich renderable of a frame: the grid or the text, and its figures below.

    Where `height` lines are too few for that, the figures stand beside the grid; of a text the end alone is drawn.
    """

    frame: Frame
    height: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        in_color = console.color_system is not None and not console.no_color
        styles = palette.IN_COLOR if in_color else palette.WITHOUT_COLOR
        layout = self.frame.problem.grid()
        if layout is None:
            notes = _notes_below(self.frame, styles)
            taken = sum(len(note.wrap(console, options.max_width)) for note in notes)
            room = None if self.height is None else self.height - taken
            picture, beside = text_picture(self.frame, styles, options.max_width, room), False
        else:
            picture, notes, beside = self._grid(layout, styles, options.max_width)
        if options.ascii_only:
            if layout is not None:
                picture.plain = in_ascii(picture.plain)
            picture, notes = numbers.in_ascii(picture), [numbers.in_ascii(note) for note in notes]
        yield _side_by_side(picture, notes) if beside else Group(picture, *notes)

    def _grid(self, layout: GridLayout, styles: Styles, width: int) -> tuple[Text, list[Text], bool]:
        """The grid and its figures, and whether these stand beside it."""
        picture, notes = grid_text(self.frame, layout, styles, width), _notes_below(self.frame, styles)
        if self.height is not None and picture.plain.count("\n") + 1 + len(notes) > self.height:
            aside = _notes_beside(self.frame, styles)
            room = width - GUTTER - max(map(len, aside))
            narrow = grid_text(self.frame, layout, styles, room)
            lines = narrow.plain.split("\n")
            if max(map(len, lines)) <= room and len(lines) <= picture.plain.count("\n") + 1:  # no clue went beneath it
                return narrow, aside, True
        return picture, notes, False


def _side_by_side(picture: Text, notes: list[Text]) -> Table:
    table = Table.grid(padding=(0, GUTTER, 0, 0))
    table.add_row(picture, Group(*notes))
    return table


def text_picture(frame: Frame, styles: Styles, width: int, height: int | None) -> Text:
    """The draft of a text, every slot in its look; only its end where it has more than `height` lines."""
    lines = [_in_looks(line, styles) for line in draft_lines(frame, width)]
    if height is not None and len(lines) > height:
        above = len(lines) - max(height - 1, 1)
        lines = [Text(f"... {counted(above, 'line')} above", styles[palette.FRAME]), *lines[above:]]
    return Text("\n", no_wrap=True).join(lines)


def _in_looks(runs: list[Run], styles: Styles) -> Text:
    return Text.assemble(*((words, styles[look]) for words, look in runs))


def grid_text(frame: Frame, layout: GridLayout, styles: Styles, width: int) -> Text:
    """The grid with what its rules draw, cells apart where `width` columns allow it."""
    lines = drawn(layout, palette.faces(frame, layout), width)
    styled = (Text.assemble(*((words, palette.style(look, styles)) for words, look in runs)) for runs in lines)
    return Text("\n", no_wrap=True).join(styled)


def _notes_below(frame: Frame, styles: Styles) -> list[Text]:
    facts = (frame.problem.describe(), " · ".join(numbers.run_facts(frame)), " · ".join(numbers.draft_facts(frame)))
    bar = _bar(frame).append(f" {numbers.settled_fact(frame)}")
    return [*map(Text, facts), bar, Text(" · ").join([_legend(frame, styles), _scale(styles)])]


def _notes_beside(frame: Frame, styles: Styles) -> list[Text]:
    facts = [*numbers.run_facts(frame), *numbers.draft_facts(frame), numbers.settled_fact(frame)]
    title = Text(frame.problem.describe(), overflow="ellipsis", no_wrap=True)
    title.truncate(BAR_WIDTH, overflow="ellipsis")
    return [title, *map(Text, facts), _bar(frame), _legend(frame, styles), _scale(styles)]


def _bar(frame: Frame) -> Text:
    return numbers.bar(numbers.settled_share(frame), BAR_WIDTH)


def _legend(frame: Frame, styles: Styles) -> Text:
    return _in_looks(palette.legend(frame), styles)


def _scale(styles: Styles) -> Text:
    return _in_looks(palette.scale(in_color=styles is palette.IN_COLOR), styles)
