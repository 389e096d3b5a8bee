"""Where results are written: standard output or the file of --output, which is no puzzle file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from dgsolve.cli.pipe import quiet_when_closed
from dgsolve.errors import UsageError


@contextmanager
def opened(output: Path | None) -> Iterator[TextIO]:
    """Standard output, or the file of --output; a pipe that the reader closed ends in silence."""
    if output is None:
        with quiet_when_closed():
            yield sys.stdout
        return
    try:
        with output.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            yield stream
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}", hint="Name a file that can be written.") from error


def refuse_overwriting(
    sources: Sequence[str], output: Path | None, trace: Path | None, svg: Path | None = None
) -> None:
    """Raises UsageError where a file that is written is a puzzle file too, or two of them are one."""
    puzzles = [Path(source).resolve() for source in sources if source != "-" and os.path.exists(source)]
    options: dict[Path, str] = {}
    for option, file in (("--output", output), ("--save-trace", trace), ("--svg", svg)):
        if file is None:
            continue
        if file.resolve() in puzzles:
            raise UsageError(f"{option} {file} is one of the puzzle files", hint="Name another file.")
        if file.resolve() in options:
            raise UsageError(f"{options[file.resolve()]} and {option} are both {file}", hint="Name two files.")
        options[file.resolve()] = option
