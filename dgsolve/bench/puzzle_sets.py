"""The sets of a benchmark of Sudokus: a file each, or one for every source that a table of puzzles names."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.puzzle_files import read_puzzles
from dgsolve.puzzle_files.csv_file import CsvFile, column_names
from dgsolve.puzzle_files.decoding import lines_of_bytes
from dgsolve.puzzle_files.names import NAME_NAMES
from dgsolve.verdicts import Entry

MOST_SETS = 100  # each one reads its file again


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles that are counted together: those of `file`, with a `source` only those of that source.

    chosen: the places, from 0, of a sample; None where all `count` puzzles are meant.
    """

    name: str
    file: str
    source: str | None
    count: int
    chosen: frozenset[int] | None = None
    kind: ClassVar[str] = "sudoku"
    parts: ClassVar[tuple[PuzzleSet, ...]] = ()
    unreadable: ClassVar[tuple[Entry, ...]] = ()  # one such puzzle, and nothing is measured

    def __len__(self) -> int:
        return self.count if self.chosen is None else len(self.chosen)

    def __iter__(self) -> Iterator[Entry]:
        """The puzzles in the order of the file, read as they are asked for; raises PuzzleError."""
        mine = (entry for entry in read_puzzles(self.file) if self.source in (None, entry.name or ""))
        for place, entry in enumerate(mine):
            if isinstance(entry.puzzle, PuzzleError):
                raise entry.puzzle
            if self.chosen is None or place in self.chosen:
                yield entry

    def sample(self, size: int | None, seed: int) -> PuzzleSet:
        """`size` of the puzzles, the same ones for the same seed; all of them where there are no more."""
        if size is None or size >= self.count:
            return self
        drawn = random.Random(f"{seed} {self.name}").sample(range(self.count), size)
        return replace(self, chosen=frozenset(drawn))


def survey(files: Sequence[str], part: str | None = None) -> list[PuzzleSet]:
    """The sets of `files` whose names hold `part`; reads every puzzle once.

    Raises PuzzleError for the first puzzle or file that cannot be read: figures over the rest would be of another set.
    """
    found = _told_apart([one for file in files for one in _sets_of(file)])
    wanted = [one for one in found if part is None or part.lower() in one.name.lower()]
    if not wanted:
        raise UsageError(f"no set has {part!r} in its name", hint=f"There are: {_listed(one.name for one in found)}.")
    if len(wanted) > MOST_SETS:
        hint = f"Name some with --set, for instance --set '{wanted[0].name}'."
        raise UsageError(f"{len(wanted):,} sets by their sources, at most {MOST_SETS} are run at a time", hint=hint)
    return wanted


def _sets_of(file: str) -> list[PuzzleSet]:
    if Path(file).exists() and not Path(file).is_file() and not Path(file).is_dir():
        raise UsageError(f"bench reads its files more than once, {file} it cannot", hint="Save it as a file.")
    counts: Counter[str] = Counter()
    for entry in read_puzzles(file):
        if isinstance(entry.puzzle, PuzzleError):
            raise entry.puzzle
        counts[entry.name or ""] += 1
    if not _has_sources(file):
        return [PuzzleSet(Path(file).stem, file, None, counts.total())]
    return [PuzzleSet(one or Path(file).stem, file, one, count) for one, count in counts.items()]


def _has_sources(file: str) -> bool:
    """Whether the file is a table whose puzzles are named by a column called source."""
    try:
        with open(file, "rb") as stream:
            first = next((line.text for line in lines_of_bytes(stream) if line.text.strip()), "")
    except OSError:
        return False  # the reader says what is wrong with it
    names = (name for name in column_names(first) if name in NAME_NAMES)
    return CsvFile().sniff(first) and next(names, "") == "source"


def _told_apart(sets: Sequence[PuzzleSet]) -> list[PuzzleSet]:
    """Sets of one name get that of their file too."""
    uses = Counter(one.name for one in sets)
    return [one if uses[one.name] == 1 else replace(one, name=_full_name(one)) for one in sets]


def _full_name(one: PuzzleSet) -> str:
    return f"{one.file}: {one.source}" if one.source else one.file


def _listed(names: Iterable[str], most: int = 12) -> str:
    shown = list(names)
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")
