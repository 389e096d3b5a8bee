"""The grids of the files that the person named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dgsolve.cli.puzzle_input import STDIN, files_of, named_or_piped
from dgsolve.errors import PuzzleError
from dgsolve.grid_files import GridEntry, read_grids


def grid_entries(
    sources: Sequence[str], *, allow_python: bool = False, game: str | None = None, colours: int | None = None
) -> Iterator[GridEntry]:
    """The grids of all `sources` in order, read as they are asked for; the options are those of `read_grids`.

    A source is a file, a folder (its files by name) or "-". What cannot be read becomes an entry with its error, so
    that the rest is still solved.
    """
    for source in named_or_piped(sources, "dgsolve grid --help"):
        try:
            for file in files_of(source):
                yield from _guarded(file, allow_python, game, colours)
        except PuzzleError as error:
            yield GridEntry(error, file=error.file or source)


def _guarded(file: str, allow_python: bool, game: str | None, colours: int | None) -> Iterator[GridEntry]:
    try:
        yield from read_grids(file, allow_python=allow_python, game=game, colours=colours)
    except PuzzleError as error:
        yield GridEntry(error, file=error.file or file, line=error.line)


def count_grids(sources: Sequence[str]) -> int | None:
    """How many grids there are, for a progress bar; None where only reading a stream would tell."""
    if STDIN in sources or not sources or not all(Path(source).exists() for source in sources):
        return None
    return sum(1 for _ in grid_entries(sources))
