"""The figures of a frame in lines: below a picture, or in a column beside it."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from dgsolve.drawing.looks import Run
from dgsolve.solution import Frame
from dgsolve.ui import numbers, palette

Styles = dict[str, Style]  # by look
BAR_WIDTH = 32  # columns
_LEAST_FIRST = (0, 4, 2, 1)  # of the lines below a picture, what a low screen goes without; the bar is kept


def below(frame: Frame, styles: Styles) -> list[Text]:
    """What it is, how the run goes, what the draft is worth, the bar, what the looks mean."""
    facts = (frame.problem.describe(), " · ".join(numbers.run_facts(frame)), " · ".join(numbers.draft_facts(frame)))
    bar = _bar(frame).append(f" {numbers.settled_fact(frame)}")
    return [*map(Text, facts), bar, Text(" · ").join([_legend(frame, styles), _scale(styles)])]


def fewer(notes: list[Text], count: int) -> list[Text]:
    """The `count` lines of those below a picture that say most of the run; all where there are no more."""
    gone = _LEAST_FIRST[: max(len(notes) - max(count, 1), 0)]
    return [note for number, note in enumerate(notes) if number not in gone]


def beside(frame: Frame, styles: Styles) -> list[Text]:
    """The same as `below`, one figure a line."""
    facts = [*numbers.run_facts(frame), *numbers.draft_facts(frame), numbers.settled_fact(frame)]
    title = Text(frame.problem.describe(), overflow="ellipsis", no_wrap=True)
    title.truncate(BAR_WIDTH, overflow="ellipsis")
    return [title, *map(Text, facts), _bar(frame), _legend(frame, styles), _scale(styles)]


def in_looks(runs: list[Run], styles: Styles) -> Text:
    """Words in the styles of their looks."""
    return Text.assemble(*((words, styles[look]) for words, look in runs))


def _bar(frame: Frame) -> Text:
    return numbers.bar(numbers.settled_share(frame), BAR_WIDTH)


def _legend(frame: Frame, styles: Styles) -> Text:
    return in_looks(palette.legend(frame), styles)


def _scale(styles: Styles) -> Text:
    return in_looks(palette.scale(in_color=styles is palette.IN_COLOR), styles)
