"""Compiled token tables kept on disk, in the user's cache folder, so that a schema is compiled once.

A file holds the numbers of one table, all Int32: the head, then the arrays one after the other. It is mapped into
memory, not copied; the sum of its numbers tells damage, for which each page is read once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import dgsolve
from dgsolve.cache_folder import cache_folder
from dgsolve.language.token_table import TokenTable

if TYPE_CHECKING:
    from dgsolve.language.vocabulary import TextVocabulary

FORMAT = 2  # of the files; raise it when what a table means changes
MAX_BYTES = 1 << 29  # of all files together; the longest unused go first
DAMAGED = (OSError, ValueError)
ARRAYS = ("token_class", "offsets", "classes", "targets", "distance")
MARK = 0x54534744  # "DGST", and something else where a machine has the bytes of a number the other way round
HEAD = 10  # MARK, start, end, thought_states, the length of each array, 0; before it 8 bytes with the sum of all


def table_key(source: str, vocabulary: TextVocabulary) -> str:
    """The key of the table of a schema or pattern (any text that says all of it) over a vocabulary."""
    parts = (str(FORMAT), dgsolve.__version__, _code(), vocabulary.fingerprint, source)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def cached(key: str, build: Callable[[], TokenTable]) -> TokenTable:
    """The table kept under `key`, a `table_key`; else the one that `build` makes, which is kept.

    Damaged files are made anew, and a folder that cannot be used is left alone.
    """
    folder = cache_folder()
    if folder is None:
        return build()
    path = folder / "token_tables" / f"{hashlib.sha256(key.encode()).hexdigest()}.table"
    with contextlib.suppress(*DAMAGED):
        table = _read(path)
        with contextlib.suppress(OSError):  # a folder that can only be read
            os.utime(path)  # used now, so it stays
        return table
    table = build()
    with contextlib.suppress(OSError):
        _write(path, table)
        _make_room(path.parent)
    return table


def _read(path: Path) -> TokenTable:
    """Raises one of DAMAGED where there is no sound table."""
    # Copy on write: whoever changes an array does not change the file.
    words = np.asarray(np.memmap(path, np.uint64, mode="c"))
    numbers = words[1:].view(np.int32)
    if len(numbers) < HEAD or numbers[0] != MARK or _sum(words[1:]) != words[0]:
        raise ValueError(f"{path} is no token table")
    ends = HEAD + np.cumsum(numbers[4:9], dtype=np.int64)
    if ends[-1] + ends[-1] % 2 != len(numbers):
        raise ValueError(f"{path} is not as long as it says")
    arrays = np.split(numbers[: ends[-1]], [HEAD, *ends[:-1]])[1:]
    named: dict[str, Any] = dict(zip(ARRAYS, arrays, strict=True))
    start, end, thought_states = numbers[1:4].tolist()
    return TokenTable(**named, start=start, end=end, thought_states=thought_states)


def _write(path: Path, table: TokenTable) -> None:
    """All or nothing: readers and other writers never see half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    words = _words(table)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_sum(words).tobytes())
            file.write(words.data)
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _words(table: TokenTable) -> np.ndarray:
    """The head and the arrays, UInt64."""
    arrays = [getattr(table, name) for name in ARRAYS]
    head = [MARK, table.start, table.end, table.thought_states, *map(len, arrays), 0]
    even = np.zeros(sum(map(len, arrays)) % 2, np.int32)
    return np.concatenate([np.array(head, np.int32), *arrays, even], dtype=np.int32, casting="no").view(np.uint64)


def _sum(words: np.ndarray) -> np.uint64:
    """Changes with any one bit; `words` UInt64, their sum modulo 2^64."""
    return words.sum(dtype=np.uint64)


def _make_room(folder: Path) -> None:
    """Delete the files that were used longest ago until the rest has MAX_BYTES at most."""
    room, found = MAX_BYTES, []
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process may be at it too
            found.append((path.stat().st_mtime_ns, path.stat().st_size, path))
    for _, size, path in sorted(found, reverse=True):
        room -= size
        if room < 0:
            path.unlink(missing_ok=True)


@cache
def _code() -> str:
    """Tells two states of this package's source apart: a checkout changes without its version."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return ";".join(f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)
