"""What a rule's parameters are: how each is read from a file, written back, and declared in the JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from typing import Any

from dgsolve.shortened import shown
from dgsolve.whole_numbers import MOST_DIGITS, is_whole

Numbers = Mapping[Any, int]  # the number behind each value of the grid, by the value and by its symbol
Symbols = Callable[[int], Any]  # the value that files write for a number


class Parameter(ABC):
    """One type of parameter. `read` raises ValueError with what it wants instead; `write` is its inverse."""

    @abstractmethod
    def read(self, raw: Any, numbers: Numbers) -> Any:
        """What stands in a file or a call, as the rule holds it."""

    def write(self, held: Any, value_of: Symbols) -> Any:
        """What the rule holds, as files have it."""
        return held

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what files may have."""


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number, at least `minimum`."""

    minimum: int | None = None

    def read(self, raw: Any, numbers: Numbers) -> int:
        if not is_whole(raw) or (self.minimum is not None and raw < self.minimum):
            least = "" if self.minimum is None else f" from {self.minimum}"
            raise ValueError(f"a whole number{least}, not {shown(raw)}")
        if abs(int(raw)) >= 10**MOST_DIGITS:
            raise ValueError(f"a whole number of at most {MOST_DIGITS} digits")
        return int(raw)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer"} if self.minimum is None else {"type": "integer", "minimum": self.minimum}


@dataclass(frozen=True)
class Span(Parameter):
    """A whole number, or the least and the most of a span: 15, or [10, 20]. Held as both ends."""

    minimum: int | None = None

    def read(self, raw: Any, numbers: Numbers) -> tuple[int, int]:
        whole = Whole(self.minimum)
        if isinstance(raw, Sequence) and not isinstance(raw, str):
            if len(raw) != 2:
                raise ValueError(f"a whole number, or [least, most], not {shown(raw)}")
            low, high = (whole.read(end, numbers) for end in raw)
            if low > high:
                raise ValueError(f"the least before the most, not {shown(raw)}")
            return low, high
        number = whole.read(raw, numbers)
        return number, number

    def write(self, held: Any, value_of: Symbols) -> Any:
        return held[0] if held[0] == held[1] else list(held)

    def schema(self) -> dict[str, Any]:
        whole = Whole(self.minimum).schema()
        pair = {"type": "array", "items": whole, "minItems": 2, "maxItems": 2}
        return {"anyOf": [whole, pair]}


@dataclass(frozen=True)
class Value(Parameter):
    """One of the grid's values."""

    def read(self, raw: Any, numbers: Numbers) -> int:
        try:
            if isinstance(raw, bool | float):  # which would be found as the whole number that they equal
                raise KeyError(raw)
            return numbers[raw]
        except (KeyError, TypeError):
            some = ", ".join(dict.fromkeys(map(str, numbers)))
            raise ValueError(f"a value of the grid ({shown(some)[1:-1]}), not {shown(raw)}") from None

    def write(self, held: Any, value_of: Symbols) -> Any:
        return value_of(held)

    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}


@dataclass(frozen=True)
class Flag(Parameter):
    """true or false."""

    def read(self, raw: Any, numbers: Numbers) -> bool:
        if not isinstance(raw, bool):
            raise ValueError(f"true or false, not {shown(raw)}")
        return raw

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Words(Parameter):
    """A text."""

    def read(self, raw: Any, numbers: Numbers) -> str:
        if not isinstance(raw, str):
            raise ValueError(f"a text, not {shown(raw)}")
        return raw

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True)
class Several(Parameter):
    """A list of `of`, one where it stands alone; `length` is how many there must be."""

    of: Parameter
    length: int | None = None
    fewest: int = 0

    def read(self, raw: Any, numbers: Numbers) -> tuple[Any, ...]:
        if not isinstance(raw, Sequence | frozenset | set) or isinstance(raw, str):
            raise ValueError(f"a list, not {shown(raw)}")
        if len(raw) < self.fewest or (self.length is not None and len(raw) != self.length):
            wanted = f"{self.length}" if self.length is not None else f"at least {self.fewest}"
            raise ValueError(f"a list of {wanted}, not {shown(raw)}")
        return tuple(self.of.read(item, numbers) for item in raw)

    def write(self, held: Any, value_of: Symbols) -> Any:
        return [self.of.write(item, value_of) for item in held]

    def schema(self) -> dict[str, Any]:
        bounds = {} if self.length is None else {"minItems": self.length, "maxItems": self.length}
        least = {"minItems": self.fewest} if self.fewest else {}
        return {"type": "array", "items": self.of.schema(), **bounds, **least}


@dataclass(frozen=True)
class Fields(Parameter):
    """A list of so many, each of its own type."""

    of: tuple[Parameter, ...]

    def read(self, raw: Any, numbers: Numbers) -> tuple[Any, ...]:
        if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != len(self.of):
            raise ValueError(f"a list of {len(self.of)}, not {shown(raw)}")
        return tuple(kind.read(item, numbers) for kind, item in zip(self.of, raw, strict=True))

    def write(self, held: Any, value_of: Symbols) -> Any:
        return [kind.write(item, value_of) for kind, item in zip(self.of, held, strict=True)]

    def schema(self) -> dict[str, Any]:
        kinds = [kind.schema() for kind in self.of]
        return {"type": "array", "prefixItems": kinds, "minItems": len(kinds), "maxItems": len(kinds)}


def parameter(kind: Parameter, words: str, default: Any = MISSING) -> Any:
    """A dataclass field that files and the JSON Schema know; `words` explain it there."""
    return field(default=default, metadata={"parameter": kind, "words": words})
