"""Everything dgsolve raises.

    DgsolveError                     .hint says what to do next; a foreign error stays as __cause__
    ├── PuzzleError                  a file or text that cannot be read as a puzzle: .file .line .column
    ├── UsageError                   a call or an option that cannot mean anything
    └── ModelUnavailableError        a denoiser, its weights or its device is missing

A time limit is no error: the Solution comes back UNKNOWN with `timed_out`.
"""

from __future__ import annotations


class DgsolveError(Exception):
    """Base of all errors raised on purpose; `str(error)` is the sentence a person reads, `hint` the next step."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class PuzzleError(DgsolveError):
    """A puzzle text that cannot be read; lines and columns count from 1, None where the whole text is meant."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.file, self.line, self.column = file, line, column

    def __str__(self) -> str:
        numbers = (("line", self.line), ("column", self.column))
        parts = [self.file or "", *(f"{name} {number}" for name, number in numbers if number)]
        shown = ", ".join(part for part in parts if part)
        return f"{shown}: {self.message}" if shown else self.message


class UsageError(DgsolveError, ValueError):
    """A call that cannot mean anything; the message gives the value and what to write instead."""


class ModelUnavailableError(DgsolveError):
    """A denoiser, its weights or its device is missing."""
