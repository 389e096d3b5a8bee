"""The process's own streams: closed, full, or unable to show a character; none of that may cost a result."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import typer


def make_ready() -> None:
    """Stand in for streams that were closed before dgsolve started, and let stdout take any character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def silence(stream: IO[Any]) -> None:
    """What `stream` still holds goes nowhere: else Python complains about it at its exit."""
    with suppress(OSError):  # a stream without a file behind it has nothing to complain about
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(*lines: str) -> None:
    """Lines on stderr; where it takes none, stdout and the exit code have to do."""
    try:
        print(*lines, sep="\n", file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


@contextmanager
def quiet_when_closed() -> Iterator[None]:
    """End the command in silence, with exit code 0, when the reader of stdout has had enough."""
    try:
        yield
    except BrokenPipeError:
        silence(sys.stdout)
        raise typer.Exit from None
