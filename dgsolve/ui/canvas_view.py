"""One frame of the canvas as a picture for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dgsolve.problem import GridLayout
from dgsolve.solution import Frame
from dgsolve.ui import numbers, palette

BAR_WIDTH = 32  # columns
GUTTER = 2
_TOP, _BETWEEN, _BOTTOM = ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘")


@dataclass(frozen=True)
class CanvasView:
    """A rich renderable of a frame: the grid (or the decoded text), and its figures below.

    Where `height` lines are too few for that, the figures stand beside the grid.
    """

    frame: Frame
    height: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        in_color = console.color_system is not None and not console.no_color
        styles = palette.IN_COLOR if in_color else palette.WITHOUT_COLOR
        width = options.max_width
        picture, notes = _picture(self.frame, styles, width), _notes_below(self.frame, styles)
        beside = self.height is not None and _lines(picture) + len(notes) > self.height
        if beside:
            notes = _notes_beside(self.frame, styles)
            room = width - GUTTER - max(map(len, notes))
            picture = _picture(self.frame, styles, room)
            beside = max(map(len, picture.plain.split("\n"))) <= room
        if options.ascii_only:
            picture, notes = numbers.in_ascii(picture), [numbers.in_ascii(note) for note in notes]
        yield _side_by_side(picture, notes) if beside else Group(picture, *notes)


def _lines(text: Text) -> int:
    return text.plain.count("\n") + 1


def _side_by_side(picture: Text, notes: list[Text]) -> Table:
    table = Table.grid(padding=(0, GUTTER, 0, 0))
    table.add_row(picture, Group(*notes))
    return table


def _picture(frame: Frame, styles: dict[str, Style], width: int) -> Text:
    layout = frame.problem.grid()
    pieces = frame.problem.pieces(frame.values)
    if layout is None and pieces is not None:
        return draft_text(frame, pieces, styles)
    if layout is None:
        return Text(str(frame.problem.decode(frame.values)))
    return grid_text(frame, layout, styles, width)


def draft_text(frame: Frame, pieces: Sequence[str], styles: dict[str, Style]) -> Text:
    """The draft of a text, slot by slot in the look of each."""
    return Text.assemble(*((piece, styles[palette.look(frame, slot, ())]) for slot, piece in enumerate(pieces)))


def grid_text(frame: Frame, layout: GridLayout, styles: dict[str, Style], width: int) -> Text:
    """The grid with box borders, cells apart where `width` columns allow it."""
    symbol_width = max(map(len, layout.symbols))
    bands = layout.cols // layout.box_cols
    gap = " " if layout.cols * (symbol_width + 1) + 2 * bands + 1 <= width or symbol_width > 1 else ""
    box_width = layout.box_cols * (symbol_width + len(gap)) + len(gap)
    text = Text(no_wrap=True)
    for row in range(layout.rows):
        if row % layout.box_rows == 0:
            text.append(_rule(_BETWEEN if row else _TOP, box_width, bands) + "\n", styles[palette.FRAME])
        for column in range(layout.cols):
            if column % layout.box_cols == 0:
                text.append(f"│{gap}", styles[palette.FRAME])
            slot = row * layout.cols + column
            symbol = layout.symbols[frame.values[slot]].rjust(symbol_width)
            text.append(symbol, styles[palette.look(frame, slot, layout.givens)]).append(gap)
        text.append("│\n", styles[palette.FRAME])
    return text.append(_rule(_BOTTOM, box_width, bands), styles[palette.FRAME])


def _rule(joints: tuple[str, str, str], box_width: int, bands: int) -> str:
    left, middle, right = joints
    return left + middle.join(["─" * box_width] * bands) + right


def _notes_below(frame: Frame, styles: dict[str, Style]) -> list[Text]:
    facts = (frame.problem.describe(), " · ".join(numbers.run_facts(frame)), " · ".join(numbers.draft_facts(frame)))
    bar = _bar(frame).append(f" {numbers.settled_fact(frame)}")
    return [*map(Text, facts), bar, Text(" · ").join([_legend(styles), _scale(styles)])]


def _notes_beside(frame: Frame, styles: dict[str, Style]) -> list[Text]:
    facts = [*numbers.run_facts(frame), *numbers.draft_facts(frame), numbers.settled_fact(frame)]
    title = Text(frame.problem.describe(), overflow="ellipsis", no_wrap=True)
    title.truncate(BAR_WIDTH, overflow="ellipsis")
    return [title, *map(Text, facts), _bar(frame), _legend(styles), _scale(styles)]


def _bar(frame: Frame) -> Text:
    return numbers.bar(numbers.settled(frame) / len(frame.values), BAR_WIDTH)


def _legend(styles: dict[str, Style]) -> Text:
    return Text.assemble(("given", styles[palette.GIVEN]), " · settled · ", ("faulty", styles[palette.FAULT]))


def _scale(styles: dict[str, Style]) -> Text:
    """From unsure to sure; without colour all of these look alike."""
    steps = list(dict.fromkeys(styles[look] for look in palette.UNSURE))
    if len(steps) == 1:
        return Text("not settled", steps[0])
    return Text.assemble("not settled: unsure ", *(("■", style) for style in steps), " sure")
