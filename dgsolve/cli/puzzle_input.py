"""What the person named on the command line: files, folders, standard input, or puzzles typed as arguments."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.plural import counted
from dgsolve.puzzle_files import PuzzleEntry, parse_puzzles, read_puzzles

STDIN = "-"
COUNTED_BYTES = 2_000_000  # read twice in about a second
_CELLS = set("0123456789.*_?xX|+- \t\r\n")
_FEWEST_CELLS = 8


def puzzle_entries(sources: Sequence[str], *, box: str | None, symbols: str | None) -> Iterator[PuzzleEntry]:
    """The puzzles of all `sources` in order, read as they are asked for.

    A source is a file, a folder (its files by name), "-" or a puzzle itself. No source at all means standard input when
    something is piped in. What cannot be read becomes an entry with its error, so that the rest is still solved.
    """
    for number, source in enumerate(named_or_piped(sources, "dgsolve sudoku --help"), 1):
        if source == STDIN or _exists(source):
            yield from _guarded(_read_all(source, box, symbols), source)
        elif looks_like_puzzle(source):
            argument = number if len(sources) > 1 else None
            for entry in _guarded(parse_puzzles(source, box=box, symbols=symbols), None):
                yield replace(entry, argument=argument)
        else:
            yield from _no_file(source, _guarded(_read_all(source, box, symbols), source))


def _no_file(source: str, entries: Iterator[PuzzleEntry]) -> Iterator[PuzzleEntry]:
    """The error of a file that is not there, with a hint where a short puzzle may have been meant."""
    cells = len("".join(source.replace("|", "").split()))
    for entry in entries:
        if cells and set(source) <= _CELLS and isinstance(entry.puzzle, PuzzleError):
            entry.puzzle.hint = f"If this is a puzzle: it has {counted(cells, 'cell')}; 4x4 needs 16, 9x9 needs 81."
        yield entry


def _read_all(source: str, box: str | None, symbols: str | None) -> Iterator[PuzzleEntry]:
    for file in files_of(source):
        yield from _guarded(read_puzzles(file, box=box, symbols=symbols), file)


def looks_like_puzzle(text: str) -> bool:
    """Whether an argument that names no file is meant as a puzzle: mostly cells and blanks, and enough of them."""
    if len(text) < _FEWEST_CELLS or "/" in text:
        return False
    return "\n" in text or sum(character in _CELLS for character in text) >= 0.9 * len(text)


def named_or_piped(sources: Sequence[str], help_page: str) -> Sequence[str]:
    """The sources, or standard input where none was named and something is piped in; raises UsageError."""
    if not sources and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError(
            "no puzzle was named", hint=f"Write a file, a puzzle, or - for standard input; see {help_page}."
        )
    return sources or [STDIN]


def _exists(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):  # longer than a file name can be, or with a NUL
        return False


def files_of(source: str) -> list[str]:
    """The files that a source means: itself, or those inside of it by name; raises PuzzleError."""
    if not source:
        raise PuzzleError("an empty argument names no puzzle", hint="Is a variable unset? A dot is this folder.")
    if source == STDIN or not _exists(source) or not Path(source).is_dir():
        return [source]
    try:
        inside = list(Path(source).iterdir())
    except OSError as error:
        hint = "Check the folder's rights."
        raise PuzzleError(f"the folder cannot be read: {error.strerror}", file=source, hint=hint) from error
    return sorted(str(file) for file in inside if file.is_file() and not file.name.startswith("."))


def _guarded(entries: Iterator[PuzzleEntry], file: str | None) -> Iterator[PuzzleEntry]:
    """The entries, and the error that ends them as a last entry."""
    try:
        yield from entries
    except PuzzleError as error:
        yield PuzzleEntry(error, file=error.file or file, line=error.line)


def count_puzzles(sources: Sequence[str], box: str | None, symbols: str | None) -> int | None:
    """How many puzzles there are, for a progress bar; None where only reading a stream or a big file would tell."""
    if STDIN in sources or not sources:
        return None
    try:
        files = [Path(file) for source in sources if source and _exists(source) for file in files_of(source)]
        size = sum(file.stat().st_size for file in files)
    except (OSError, PuzzleError):  # what is wrong is said when it is read
        return None
    if size > COUNTED_BYTES or not all(file.is_file() for file in files):  # a pipe can be read once only
        return None
    return sum(1 for _ in puzzle_entries(sources, box=box, symbols=symbols))
