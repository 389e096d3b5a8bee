"""What a rule is: a value object over some cells that judges, narrows, is posted to CP-SAT, and is written in files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from dgsolve.errors import UsageError
from dgsolve.plural import counted
from dgsolve.problem import Fault
from dgsolve.rules.parameters import Numbers, Parameter, Symbols

if TYPE_CHECKING:
    from dataclasses import Field

    import numpy as np

    from dgsolve.drawing.marks import Mark
    from dgsolve.factor_graph import Factor
    from dgsolve.rules.posting import PostedCells

Domains = list[set[int]]  # by place in the rule's cells, the numbers that each may hold
Candidate = tuple[int, int]  # a slot and a number that it may hold


class Groups(NamedTuple):
    """A rule as groups of candidates: of each, exactly one is true, or at most one."""

    exactly_one: tuple[tuple[Candidate, ...], ...] = ()
    at_most_one: tuple[tuple[Candidate, ...], ...] = ()


class Words(Protocol):
    """How a grid names its cells and its values."""

    def cell(self, slot: int) -> str:
        """The cell's name, such as r1c1."""
        ...

    def value(self, number: int) -> str:
        """The value as it is written."""
        ...

    def native(self, number: int) -> int | str:
        """The value as Python has it."""
        ...


@dataclass(frozen=True)
class Rule(ABC):
    """cells: the slots that it is about, in its own order. Parameters are the fields that follow.

    Numbers are the grid's values where these are whole numbers, else they count from 1. A subclass is one file in
    `dgsolve/rules`; `kind` is its name in files and in `Grid`.
    """

    kind: ClassVar[str]
    fewest: ClassVar[int] = 1  # cells
    most: ClassVar[int | None] = None
    listed: ClassVar[bool] = True  # Grid's method takes one list of cells; else each cell is an argument of its own
    by_factor: ClassVar[bool] = False  # a denoiser hears it as its factor, though it may be groups too
    judged_only: ClassVar[bool] = False  # nothing but `faults` knows it: the searches must ask the judge

    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        count = len(self.cells)
        if len(set(self.cells)) < count:
            raise UsageError(f"{self.kind} names a cell twice")
        if count < self.fewest or (self.most is not None and count > self.most):
            wanted = f"exactly {self.most}" if self.most == self.fewest else f"at least {self.fewest}"
            raise UsageError(f"{self.kind} needs {wanted} cells, got {count}")
        self.refuse()

    @property
    def orderly(self) -> bool:
        """Whether the answers kept do not depend on the order of its cells."""
        return False

    def refuse(self) -> None:  # noqa: B027 - most kinds have nothing to refuse
        """Raise UsageError for parameters that do not fit together."""

    @abstractmethod
    def describe(self, words: Words) -> str:
        """What it demands, in a clause for people: "r1c1, r1c2 add up to 5"."""

    @abstractmethod
    def broken(self, numbers: Sequence[int], words: Words) -> str:
        """What is wrong with these numbers of all its cells, in a sentence; "" where nothing is."""

    def faults(self, held: Sequence[int | None], words: Words) -> Iterator[Fault]:
        """What the numbers held break for certain; None for an open cell."""
        numbers = [number for number in held if number is not None]
        if len(numbers) == len(held):
            sentence = self.broken(numbers, words)
            if sentence:
                yield self.fault(sentence, range(len(held)), words)

    def faulty(self, held: np.ndarray, words: Words) -> np.ndarray:
        """Bool [B, n]: of drafts, numbers Int [B, n] of its n cells, the cells that `faults` names."""
        import numpy as np

        marks, place_of = np.zeros(held.shape, dtype=bool), {slot: place for place, slot in enumerate(self.cells)}
        for row, numbers in zip(marks, held.tolist(), strict=True):
            for fault in self.faults(numbers, words):
                row[[place_of[slot] for slot in fault.slots]] = True
        return marks

    def fault(self, sentence: str, places: Sequence[int], words: Words) -> Fault:
        """A fault about some places in its cells."""
        slots = tuple(self.cells[place] for place in places)
        return Fault(sentence, tuple(map(words.cell, slots)), slots)

    def listed_cells(self, words: Words, places: Sequence[int] | None = None) -> str:
        """The names of its cells in a sentence, the middle of many left out."""
        names = [words.cell(self.cells[place]) for place in (range(len(self.cells)) if places is None else places)]
        if len(names) > 10:
            return f"the {counted(len(names), 'cell')} {names[0]}, {names[1]} ... {names[-1]}"
        return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]

    @abstractmethod
    def propagate(self, domains: Domains) -> Domains | None:
        """The domains without values that no way to keep the rule uses (all or some of them); None: there is no way.

        It goes on until it finds no more: what it returns, it leaves as it is.
        """

    @abstractmethod
    def post(self, model: Any, cells: PostedCells) -> None:
        """Add the rule to a CP-SAT model. New variables must follow from the cells' own, else answers come twice."""

    def groups(self, numbers: Sequence[int]) -> Groups | None:
        """The rule as groups of candidates of a grid with these numbers, None where it is more than that."""
        return None

    def factor(self, numbers: Sequence[int]) -> Factor | None:
        """The rule as a factor of a grid with these numbers, for what `groups` cannot say; None where it has none."""
        return None

    def marks(self, words: Words) -> tuple[Mark, ...]:
        """What a picture of the grid shows of it, where its cells lie as that needs."""
        return ()

    def is_factor(self, numbers: Sequence[int]) -> bool:
        """Whether a denoiser hears it as its factor, on a grid with these numbers, and not as groups."""
        return self.by_factor or self.groups(numbers) is None

    @classmethod
    def parameters(cls) -> dict[str, tuple[Field[Any], Parameter]]:
        """The declared parameters, in their order."""
        return {f.name: (f, f.metadata["parameter"]) for f in fields(cls) if "parameter" in f.metadata}

    @classmethod
    def required(cls) -> list[str]:
        """The names of the parameters without a default."""
        return [name for name, (declared, _) in cls.parameters().items() if declared.default is MISSING]

    @classmethod
    def build(cls, cells: tuple[int, ...], given: dict[str, Any], numbers: Numbers) -> Rule:
        """From parameters as people write them; raises UsageError that names the parameter."""
        read = {}
        for name, raw in given.items():
            try:
                read[name] = cls.parameters()[name][1].read(raw, numbers)
            except ValueError as error:
                raise UsageError(f"{cls.kind}: {name} must be {error}") from None
        return cls(cells, **read)

    def written(self, value_of: Symbols) -> dict[str, Any]:
        """The parameters that differ from their defaults, as files have them."""
        held = {name: getattr(self, name) for name in self.parameters()}
        return {
            name: kind.write(held[name], value_of)
            for name, (declared, kind) in self.parameters().items()
            if held[name] != declared.default
        }
