"""Everything dgsolve raises.

    DgsolveError                     .hint says what to do next; a foreign error stays as __cause__
    ├── PuzzleError                  a file or text that cannot be read as a puzzle: .file .line .column .key
    ├── UsageError                   a call or an option that cannot mean anything
    ├── SchemaError                  a schema or output type that cannot be used: .pointer .keyword
    │   ├── FillError                a part given by fill= that cannot be one: .pointer inside of it
    │   ├── UnsupportedSchemaError   neither the automaton nor a validator can enforce a keyword
    │   └── UnsatisfiableSchemaError no value fits
    ├── BudgetError                  the shortest valid text is longer than the budget: .min_tokens .max_tokens
    ├── IncompleteOutputError        steps or time ran out in the middle of a text: .text .usage .timed_out
    ├── OutputValidationError        a validator faulted every attempt: .text .errors .attempts
    │                                each error has .pointer and .message, each attempt .text and .errors
    └── ModelUnavailableError        a denoiser, its weights or its device is missing

For `solve` a time limit is no error: the Solution comes back UNKNOWN with `timed_out`. Half a text is of no use, so the
`run` and `generate` of a model raise IncompleteOutputError.
"""

from __future__ import annotations

from typing import Any, NamedTuple

_LONGEST = 160  # characters of a pointer that a sentence shows; `pointer` has all of them


def first_line(error: BaseException) -> str:
    """Of what a foreign error says; the name of its type where it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


class DgsolveError(Exception):
    """Base of all errors raised on purpose; `str(error)` is the sentence a person reads, `hint` the next step."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(hint)  # so that it stands below a traceback too

    def __reduce__(self) -> tuple[Any, ...]:
        """Without it an error of other arguments than its message could not leave the process that raised it."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[DgsolveError], args: tuple[Any, ...]) -> DgsolveError:
    return kind.__new__(kind, *args)


class PuzzleError(DgsolveError):
    """A puzzle text that cannot be read; lines and columns count from 1, None where the whole text is meant.

    key: the place inside a file of keys and values, such as rule[2].total, the rules counted from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.file, self.line, self.column, self.key = file, line, column, key

    def __str__(self) -> str:
        numbers = (("line", self.line), ("column", self.column))
        parts = [self.file or "", *(f"{name} {number}" for name, number in numbers if number), self.key or ""]
        shown = ", ".join(part for part in parts if part)
        return f"{shown}: {self.message}" if shown else self.message


class UsageError(DgsolveError, ValueError):
    """A call that cannot mean anything; the message gives the value and what to write instead."""


class ModelUnavailableError(DgsolveError):
    """A denoiser, its weights or its device is missing."""


class SchemaError(DgsolveError, ValueError):
    """A schema, or an output type, that cannot be used; `pointer` is the JSON Pointer of the place, "" the root."""

    def __init__(self, message: str, *, pointer: str = "", keyword: str | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.pointer, self.keyword = pointer, keyword

    def __str__(self) -> str:
        keyword = f", keyword {self.keyword!r}" if self.keyword else ""
        return f"schema at {_cut(self.pointer) or 'its root'}{keyword}: {self.message}"


class FillError(SchemaError):
    """A part given by `fill=` that JSON cannot write, or that the schema does not allow; `pointer` is its place."""

    def __init__(self, message: str, *, pointer: str = "", hint: str = "") -> None:
        super().__init__(f"fill= at {_cut(pointer) or 'its root'}: {message}", pointer=pointer, hint=hint)

    def __str__(self) -> str:
        return self.message


def _cut(pointer: str) -> str:
    """Both ends of a long pointer; keys of a schema are anyone's, so what would move a terminal's cursor is escaped."""
    if len(pointer) > _LONGEST:
        pointer = f"{pointer[: _LONGEST // 2]} ... {pointer[-_LONGEST // 2 :]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in pointer)


class UnsupportedSchemaError(SchemaError):
    """What the schema asks for can be neither built in nor checked; `lenient=True` drops it and says so."""


class UnsatisfiableSchemaError(SchemaError):
    """No value at all fits the schema."""


class BudgetError(DgsolveError):
    """The shortest valid text needs more tokens than there may be; raised before the model runs."""

    def __init__(self, min_tokens: int, max_tokens: int) -> None:
        super().__init__(
            f"the shortest valid text has {min_tokens} tokens, but max_new_tokens is {max_tokens}",
            hint=f"Give at least max_new_tokens={min_tokens}.",
        )
        self.min_tokens, self.max_tokens = min_tokens, max_tokens


class IncompleteOutputError(DgsolveError):
    """The steps or the time ran out before the text was complete; `text` is what there is, `usage` the counts."""

    def __init__(
        self, message: str, *, text: str, usage: dict[str, int], timed_out: bool = False, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.text, self.usage, self.timed_out = text, usage, timed_out


class OutputFault(NamedTuple):
    """What a validator says of a text: the JSON Pointer of the part that it means ("" the whole), and its words."""

    pointer: str
    message: str

    def __str__(self) -> str:
        named = self.message.startswith(self.pointer or "the value")
        return self.message if named else f"{self.pointer or 'the value'}: {self.message}"


class Attempt(NamedTuple):
    """A text that was faulted, and by what."""

    text: str
    errors: tuple[OutputFault, ...]


class OutputValidationError(DgsolveError):
    """A validator that no automaton can build in faulted every attempt; `text` and `errors` are those of the last."""

    def __init__(self, message: str, *, attempts: tuple[Attempt, ...], hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.attempts = attempts
        self.text, self.errors = attempts[-1]
