"""Compiled token tables kept on disk, in the user's cache folder, so that a schema is compiled once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import dgsolve
from dgsolve.cache_folder import cache_folder
from dgsolve.language.token_table import TokenTable

if TYPE_CHECKING:
    from dgsolve.language.vocabulary import TextVocabulary

FORMAT = 1  # of the files; raise it when what a table means changes
MAX_BYTES = 1 << 29  # of all files together; the longest unused go first
DAMAGED = (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError)


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
    path = folder / "token_tables" / f"{hashlib.sha256(key.encode()).hexdigest()}.npz"
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
    names = {field.name for field in fields(TokenTable)}
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
        found = {name: file[name] for name in names}
    start, end = int(found.pop("start")), int(found.pop("end"))
    return TokenTable(**found, start=start, end=end)


def _write(path: Path, table: TokenTable) -> None:
    """All or nothing: readers and other writers never see half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **_arrays(table))
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _arrays(table: TokenTable) -> dict[str, Any]:
    return {field.name: np.asarray(getattr(table, field.name)) for field in fields(table)}


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


def _code() -> str:
    """Tells two states of this package's source apart: a checkout changes without its version."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return ";".join(f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)
