"""The draft of a text as lines of a given width, every slot in its look: for terminals and pictures alike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from rich.console import Console
from rich.text import Text

from dgsolve.solution import Frame
from dgsolve.ui import palette
from dgsolve.ui.palette import Run

# A pattern may allow characters that would move the cursor or colour what follows: their pictures are drawn instead.
_SHOWN = {code: 0x2400 + code for code in range(0x20) if code != 0x0A} | {0x7F: 0x2421}
_SHOWN |= dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000)], 0xFFFD)


def draft_lines(frame: Frame, columns: int) -> list[list[Run]]:
    """The text of the draft in lines of at most `columns` columns, broken between words where that can be."""
    return [_runs(line) for line in _text(frame).wrap(Console(width=columns), columns)]


def _text(frame: Frame) -> Text:
    """Styled with the names of looks; all settled where it is not known slot by slot."""
    pieces = frame.problem.pieces(frame.values)
    if pieces is None:
        return _styled([(str(frame.problem.decode(frame.values)), palette.SETTLED)])
    return _styled(zip(pieces, palette.text_looks(frame), strict=False))  # slots after the text have no piece


def _styled(runs: Iterable[Run]) -> Text:
    text = Text()
    for words, look in runs:
        text.append(words.translate(_SHOWN), look)
    return text


def _runs(line: Text) -> list[Run]:
    """What follows each other in the same look is one run."""
    found = ((line.plain[span.start : span.end], str(span.style)) for span in line.spans)
    runs = groupby(found, key=itemgetter(1))
    return [("".join(words for words, _ in same), look) for look, same in runs]
