"""Characters in their places on a page, each piece in its look, to be read line by line."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len

from dgsolve.drawing.looks import Run


class TextPage:
    """Pieces written at a line and a column, counted from 0; a later one of the same place hides the earlier one."""

    def __init__(self, under: TextPage | None = None) -> None:
        self._pieces: dict[tuple[int, int], Run] = {} if under is None else dict(under._pieces)

    def write(self, line: int, column: int, words: str, look: str) -> None:
        """Write words in one piece; blank ones leave what is there."""
        if words.strip():
            self._pieces[line, column] = (words, look)

    def spell(self, line: int, column: int, words: str, look: str) -> None:
        """Write words letter by letter, so that they hide no more than they need of edges."""
        for letter in words:
            self._pieces[line, column] = (letter, look)
            column += cell_len(letter)

    def lines(self) -> list[list[Run]]:
        """Every line up to the last that holds something; gaps are spaces of no look."""
        height = 1 + max((line for line, _ in self._pieces), default=-1)
        found: list[list[Run]] = [[] for _ in range(height)]
        ends = [0] * height
        for (line, column), (words, look) in sorted(self._pieces.items()):
            if column < ends[line]:
                continue  # under a wide character
            if column > ends[line]:
                found[line].append((" " * (column - ends[line]), ""))
            found[line].append((words, look))
            ends[line] = column + cell_len(words)
        return [_joined(runs) for runs in found]


def _joined(runs: list[Run]) -> list[Run]:
    """What follows each other in the same look is one run."""
    return [("".join(words for words, _ in same), look) for look, same in groupby(runs, key=itemgetter(1))]
