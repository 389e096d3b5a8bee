"""Sets of grids: a file each, in parts by the kind of puzzle that it names. What cannot be read is counted too."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files import GridEntry, read_grids

ALL, UNTOLD = "all", "no kind told"


@dataclass(frozen=True)
class GridSet:
    """Grids of `file` that are counted together: all, or those of one kind. Each is read once, and held.

    parts: one set for each kind, none where there is one kind alone. count: of the grids before any sample was drawn.
    """

    name: str
    file: str
    entries: tuple[GridEntry, ...]
    count: int
    kind: str
    parts: tuple[GridSet, ...] = ()

    @classmethod
    def of(cls, name: str, file: str, entries: Sequence[GridEntry]) -> GridSet:
        """The set of a whole file, with its parts in the order of their first grids."""
        by_kind: dict[str, list[GridEntry]] = {}
        for entry in entries:
            by_kind.setdefault(entry.kind or UNTOLD, []).append(entry)
        if len(by_kind) == 1:
            return cls(name, file, tuple(entries), len(entries), next(iter(by_kind)))
        made = [cls(f"{name}: {kind}", file, tuple(some), len(some), kind) for kind, some in by_kind.items()]
        return cls(name, file, (), 0, ALL)._with(made)

    def __len__(self) -> int:
        return sum(not isinstance(entry.puzzle, PuzzleError) for entry in self.entries)

    def __iter__(self) -> Iterator[GridEntry]:
        """The grids that could be read, each built anew: what was derived of it for another row makes none faster."""
        for entry in self.entries:
            if not isinstance(entry.puzzle, PuzzleError):
                yield replace(entry, puzzle=entry.puzzle.from_dict(entry.puzzle.to_dict()))

    @property
    def unreadable(self) -> list[GridEntry]:
        """The entries that hold an error; they count as not solved."""
        return [entry for entry in self.entries if isinstance(entry.puzzle, PuzzleError)]

    def sample(self, size: int | None, seed: int) -> GridSet:
        """`size` of the grids of each kind, the same ones for the same seed; all of them where there are no more."""
        if self.parts:
            return self._with([part.sample(size, seed) for part in self.parts])
        if size is None or size >= self.count:
            return self
        drawn = random.Random(f"{seed} {self.name}").sample(range(self.count), size)
        return replace(self, entries=tuple(self.entries[place] for place in sorted(drawn)))

    def having(self, part: str) -> GridSet | None:
        """What has `part` in its name: the kinds, or the whole set; None where nothing has."""
        found = [one for one in self.parts or (self,) if part.lower() in one.name.lower()]
        return (self._with(found) if len(found) > 1 else found[0]) if found else None

    def _with(self, parts: Sequence[GridSet]) -> GridSet:
        """These parts and nothing else of the file."""
        held = tuple(entry for part in parts for entry in part.entries)
        return replace(self, parts=tuple(parts), entries=held, count=sum(part.count for part in parts))


def survey_grids(files: Sequence[str], part: str | None = None) -> list[GridSet]:
    """The sets of `files`, with the kinds whose names hold `part`; raises PuzzleError where nothing in one is read."""
    stems = [Path(file).stem for file in files]
    found = [
        GridSet.of(stem if stems.count(stem) == 1 else file, file, _entries(file))
        for stem, file in zip(stems, files, strict=True)
    ]
    wanted = [kept for one in found if (kept := one.having(part or ""))]
    if not wanted:
        names = dict.fromkeys(inner.name for one in found for inner in one.parts or (one,))
        raise UsageError(f"no set has {part!r} in its name", hint=f"There are: {', '.join(list(names)[:12])}.")
    return wanted


def _entries(file: str) -> list[GridEntry]:
    if Path(file).is_dir():
        hint = f"Name the files that hold puzzles: {Path(file) / '*.json'}."
        raise UsageError(f"{file} is a folder, and not every file in it need be of puzzles", hint=hint)
    entries = [replace(entry, name=entry.name or f"puzzle {place}") for place, entry in enumerate(read_grids(file), 1)]
    if all(isinstance(entry.puzzle, PuzzleError) for entry in entries):
        error = entries[0].puzzle
        assert isinstance(error, PuzzleError)
        raise error
    return entries
