"""A grid with rules: cells, values, givens, and constraints by the names that CP-SAT and MiniZinc users know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dgsolve.deadline import look
from dgsolve.errors import UsageError
from dgsolve.problem import Fault, Report, Vocabulary
from dgsolve.problems import grid_text
from dgsolve.problems.grid_graph import factor_graph
from dgsolve.problems.grid_propagation import Propagation
from dgsolve.problems.grid_showing import GridShowing
from dgsolve.rules import Rule
from dgsolve.rules.posting import PostedCells

if TYPE_CHECKING:
    import torch

    from dgsolve.canvas import Canvas
    from dgsolve.factor_graph import FactorGraph


class Grid(GridShowing):
    """Cells that each hold one of some values, under rules; rules are added until the grid is first used.

        grid = dgsolve.Grid(3, 3, values=range(1, 10), givens="... .5. ...", title="magic square")
        grid.all_different(grid.names)
        for line in [*grid.rows(), *grid.cols(), *grid.diagonals()]:
            grid.sum(line, 15)
        dgsolve.solve(grid).answer

    A rectangle of rows x cols without `holes`, or `cells` with names of their own. values: whole numbers, or texts,
    which count from 1 where a rule reckons. givens: lines of text with . for an open cell, rows, or {cell: value}.
    domains: {cell: values} where a cell may not hold all. The first use (solving, checking, hashing) closes it: a rule
    that came later would change the answers.
    """

    name: ClassVar[str] = "grid"
    posts: ClassVar[bool] = True
    _left_to_judge = False  # a rule was too large for the model of exact search

    @classmethod
    def parse(
        cls, text: str, *, allow_python: bool = False, game: str | None = None, colours: int | None = None
    ) -> Grid:
        """The one grid in a text of any format (docs/grid_formats.md); raises PuzzleError.

        allow_python: its rules may run Python. game: of a game id that may be of several. colours: for a graph.
        """
        from dgsolve.grid_files import parse_grids, single_grid

        read = parse_grids(text, allow_python=allow_python, game=game, colours=colours)
        return single_grid(read, "the text")

    @classmethod
    def read(
        cls, path: Any, *, allow_python: bool = False, game: str | None = None, colours: int | None = None
    ) -> Grid:
        """As `parse`, of a file, "-" for standard input; raises PuzzleError, also where the file holds several."""
        from dgsolve.grid_files import read_grids, single_grid

        read = read_grids(path, allow_python=allow_python, game=game, colours=colours)
        return single_grid(read, str(path))

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], *, allow_python: bool = False) -> Grid:
        """From the tables of a file, as `to_dict` gives them; raises PuzzleError."""
        from dgsolve.grid_files import grid_of_record

        return grid_of_record(record, allow_python=allow_python)

    def to_dict(self) -> dict[str, Any]:
        """The tables of a file, of plain JSON types."""
        from dgsolve.grid_files import record_of_grid

        return record_of_grid(self)

    def to_json(self) -> str:
        """The file as one JSON object on one line."""
        from dgsolve.grid_files import json_of_grid

        return json_of_grid(self)

    def to_toml(self) -> str:
        """The file as TOML."""
        from dgsolve.grid_files import toml_of_grid

        return toml_of_grid(self)

    # What the judge says

    def check(self, answer: Any) -> Report:
        """Judge an answer: values by slot, rows, text, or {cell: value}."""
        self._closed = True
        try:
            held = grid_text.read_held(self.cells, self.values, answer)
        except UsageError as error:
            return Report((Fault(error.message),))
        faults = [self._own_fault(slot, number) for slot, number in enumerate(held)]
        found = [fault for fault in faults if fault is not None]
        return Report((*found, *self._rule_faults(held)))

    def _own_fault(self, slot: int, number: int | None) -> Fault | None:
        """What is wrong with a cell by itself."""
        given, message = self._held[slot], ""
        if number is None:
            message = "holds no value"
        elif given is not None and number != given:
            message = f"holds {self.value(number)}, but {self.value(given)} is given there"
        elif number not in self._domains.get(slot, self.values.place):
            message = f"holds {self.value(number)}, which it may not"
        return Fault(f"{self.cell(slot)} {message}", (self.cell(slot),), (slot,)) if message else None

    def _rule_faults(self, held: grid_text.Held) -> list[Fault]:
        """What rules are broken for certain; the same cells are not blamed twice in the same words."""
        found: dict[Fault, None] = {}
        for rule in self._rules:
            found |= dict.fromkeys(rule.faults([held[slot] for slot in rule.cells], self))
        return list(found)

    def given_faults(self) -> list[Fault]:
        self._closed = True
        givens = [(slot, number) for slot, number in enumerate(self._held) if number is not None]
        own = [self._own_fault(slot, number) for slot, number in givens]
        return [*(fault for fault in own if fault is not None), *self._rule_faults(self._held)]

    def faulty_slots(self, values: np.ndarray) -> np.ndarray:
        """As rules see it, all drafts at once; values that are none (below 0) are faulty themselves."""
        inside = (values >= 0) & (values < len(self.values))  # [B, L]
        places = np.where(inside, values, 0)
        marks = ~(inside & self.permitted[np.arange(values.shape[1]), places])
        numbers = np.array(self.values.numbers)[places]
        for rule in self._rules:
            marks[:, rule.cells] |= rule.faulty(numbers[:, rule.cells], self)
        return marks

    # The canvas and the searches

    @cached_property
    def permitted(self) -> np.ndarray:
        """Bool [L, K]: what each cell may hold by its given and its domain alone; nothing where these contradict."""
        self._closed = True
        table = np.zeros((len(self.cells), len(self.values)), dtype=bool)
        for slot, number in enumerate(self._held):
            allowed = self._domains.get(slot, self.values.numbers)
            table[slot, [self.values.place[held] for held in allowed if number in (None, held)]] = True
        return table

    @cached_property
    def _propagation(self) -> Propagation:
        self._closed = True
        return Propagation(self._rules, self.values.numbers, len(self.cells))

    def narrowed(self, permitted: np.ndarray) -> np.ndarray:
        """Bool [L, K]: what all rules leave of it, at the fixed point; all false where they leave some cell nothing."""
        numbers = np.array(self.values.numbers)
        found = self._propagation.narrow([set(numbers[row].tolist()) for row in permitted])
        if found is None:
            return np.zeros_like(permitted)
        return np.array([[number in held for number in self.values.numbers] for held in found])

    def candidates(self) -> tuple[frozenset[Any], ...]:
        """The values that givens, domains and rules leave each cell."""
        table = self.narrowed(self.permitted)
        return tuple(frozenset(self.values.natives[place] for place in np.flatnonzero(row)) for row in table)

    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        import torch

        from dgsolve.canvas import Canvas
        from dgsolve.constraints.slot_domains import SlotDomains

        names = np.array(vocabulary.tokens(self.values.symbols), dtype=np.int64)
        allowed = np.zeros((1, len(self.cells), vocabulary.size), dtype=bool)
        allowed[0][:, names] = self.narrowed(self.permitted) if propagate else self.permitted
        locked = np.array([[number is not None for number in self._held]])
        tokens = names[self.permitted.argmax(1)][None]
        narrow = self._narrowing(names) if propagate else None
        return Canvas(
            torch.from_numpy(tokens), torch.from_numpy(locked), SlotDomains(torch.from_numpy(allowed), narrow=narrow)
        )

    def _narrowing(self, names: np.ndarray) -> Callable[[torch.Tensor], torch.Tensor]:
        def narrow(allowed: torch.Tensor) -> torch.Tensor:
            import torch

            table = allowed.numpy().copy()  # [B, L, V]
            for row in table:
                row[:, names] = self.narrowed(row[:, names])
            return torch.from_numpy(table)

        return narrow

    def decode(self, values: Sequence[int]) -> tuple[int | str, ...]:
        """The values of the cells by slot, as Python has them."""
        return tuple(self.values.natives[int(place)] for place in values)

    def given_values(self) -> tuple[frozenset[int], ...]:
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in self.permitted)

    def shape(self) -> tuple[Any, ...]:
        return (self.name, self.values, len(self.cells), self._shared_rules)

    @cached_property
    def _shared_rules(self) -> _Hashed:
        self._closed = True
        return _Hashed(tuple(self._rules))

    @property
    def judged_only(self) -> bool:  # type: ignore[override]
        return self._left_to_judge or any(rule.judged_only for rule in self._shared_rules.value)

    def factor_graph(self) -> FactorGraph | None:
        self._closed = True
        return factor_graph(self._shared_rules.value, self.values, len(self.cells))

    def post(self, model: Any, choices: Sequence[Collection[int]] | None = None) -> list[dict[int, Any]]:
        self._closed = True
        numbers = self.values.numbers
        places = choices or [range(len(numbers))] * len(self.cells)
        posted = PostedCells(model, [[numbers[place] for place in held] for held in places])
        if all(places):
            for rule in self._rules:
                look()
                rule.post(model, posted)
        of_number = self.values.place
        self._left_to_judge = self._left_to_judge or posted.left_to_judge
        return [{of_number[number]: holds for number, holds in held} for held in posted.variables()]


class _Hashed:
    """A value whose hash is reckoned once: rules are many, and shapes are compared for every puzzle."""

    def __init__(self, value: tuple[Rule, ...]) -> None:
        self.value, self._hash = value, hash(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self._hash == other._hash and self.value == other.value
