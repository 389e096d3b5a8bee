"""What a kind of puzzle is: declared options that become a grid with rules."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Parameter, parameter
from dgsolve.shortened import shown


@dataclass(frozen=True)
class Raw(Parameter):
    """What the grid itself reads, such as givens; `declared` is its JSON Schema."""

    declared: tuple[tuple[str, Any], ...] = ()

    def read(self, raw: Any, numbers: Any) -> Any:
        return raw

    def schema(self) -> dict[str, Any]:
        return dict(self.declared)


@dataclass(frozen=True)
class Pick(Parameter):
    """One of some words."""

    words: tuple[str, ...]

    def read(self, raw: Any, numbers: Any) -> str:
        if raw not in self.words:
            raise ValueError(f"one of {', '.join(self.words)}, not {shown(raw)}")
        return str(raw)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


@contextmanager
def blaming(place: str) -> Iterator[None]:
    """Lets UsageErrors inside name an option, or one of its items: "size", "cages[2]"."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{place}: {error.message}", hint=error.hint) from error


def givens() -> Any:
    """The option `givens`: lines of text, rows, or {cell: value}; none by default."""
    forms = [{"type": "string"}, {"type": "array"}, {"type": "object"}]
    return parameter(Raw((("anyOf", forms),)), "lines of text with . for an open cell, rows, or {cell: value}", None)


@dataclass(frozen=True)
class GridKind(ABC):
    """A subclass is one file in `dgsolve/grid_kinds`; its fields, made by `parameter`, are the keys of its files.

    kind: its name in files. title: what people call it. variants: the options that make another puzzle of it.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    variants: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def build(self) -> Grid:
        """The grid with its rules; raises UsageError for options that do not fit together."""

    @classmethod
    def options(cls) -> dict[str, tuple[Field[Any], Parameter]]:
        """The declared options, in their order."""
        return {f.name: (f, f.metadata["parameter"]) for f in fields(cls) if "parameter" in f.metadata}

    @classmethod
    def required(cls) -> list[str]:
        """The names of the options without a default."""
        return [name for name, (declared, _) in cls.options().items() if declared.default is MISSING]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Grid:
        """The grid of options as files have them; raises PuzzleError with the key of what is wrong."""
        read: dict[str, Any] = {}
        for name, raw in given.items():
            try:
                read[name] = cls.options()[name][1].read(raw, {})
            except ValueError as error:
                raise PuzzleError(f"this must be {error}", key=name, hint=cls._meaning(name)) from None
        missing = [name for name in cls.required() if name not in read]
        if missing:
            message = f"a {cls.title} needs {' and '.join(missing)}"
            raise PuzzleError(message, key="kind", hint=cls._meaning(missing[0]))
        try:
            return cls(**read).build()
        except UsageError as error:
            key, message = cls._blamed(error.message, read)
            raise PuzzleError(message, key=key, hint=error.hint or cls._meaning(key)) from error

    @classmethod
    def _meaning(cls, key: str) -> str:
        """What the option of a key is, for those who wrote something else; "" for no option."""
        name = key.partition("[")[0]
        return f"{name}: {cls.options()[name][0].metadata['words']}." if name in cls.options() else ""

    @classmethod
    def _blamed(cls, message: str, read: Mapping[str, Any]) -> tuple[str, str]:
        """The key that the message begins with, and the rest of it; "kind" where it names no key of the file."""
        named = re.match(r"(\w+)(\[\d+\])?: ", message)
        if named and named[1] in cls.options():
            return f"{named[1]}{named[2] or ''}" if named[1] in read else "kind", message[named.end() :]
        return "kind", message
