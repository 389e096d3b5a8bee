"""The cells of a grid as variables of a CP-SAT model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from dgsolve.deadline import look


class PostedCells:
    """A Boolean for every candidate (slot, number), exactly one of them true in each slot.

    domains: the numbers that each slot may hold. What a slot cannot hold is the constant false. left_to_judge: set by a
    rule that does not say all it demands, so that solutions must be judged.
    """

    def __init__(self, model: Any, domains: Sequence[Collection[int]]) -> None:
        self.left_to_judge = False
        self._model = model
        self._never = model.new_constant(0)
        self._holds = [{number: model.new_bool_var("") for number in sorted(domain)} for domain in domains]
        self._numbers: dict[int, Any] = {}
        for holds in self._holds:
            model.add_exactly_one(list(holds.values()))

    def choices(self, slot: int) -> list[int]:
        """The numbers that the slot may hold, from the least."""
        look()  # every rule asks for them while it is posted
        return list(self._holds[slot])

    def holds(self, slot: int, number: int) -> Any:
        """The Boolean that says that `slot` holds `number`."""
        return self._holds[slot].get(number, self._never)

    def expression(self, slot: int) -> Any:
        """The number that the slot holds, as a linear expression."""
        return sum(number * holds for number, holds in self._holds[slot].items())

    def add_within(self, slots: Sequence[int], weights: Sequence[int], low: int, high: int) -> None:
        """The numbers of these slots, each times its weight, add up to low to high, which may be beyond what the solver
        can count."""
        ends = [
            (weight * min(self._holds[slot]), weight * max(self._holds[slot]))
            for slot, weight in zip(slots, weights, strict=True)
        ]
        least, most = sum(map(min, ends)), sum(map(max, ends))
        if low > most or high < least:
            self._model.add_bool_or([])
        else:
            total = sum(weight * self.expression(slot) for slot, weight in zip(slots, weights, strict=True))
            self._model.add_linear_constraint(total, max(low, least), min(high, most))

    def number(self, slot: int) -> Any:
        """The number that the slot holds, as a variable."""
        if slot not in self._numbers:
            from ortools.sat.python import cp_model

            domain = cp_model.Domain.from_values(self.choices(slot))
            self._numbers[slot] = self._model.new_int_var_from_domain(domain, "")
            self._model.add(self._numbers[slot] == self.expression(slot))
        return self._numbers[slot]

    def variables(self) -> list[list[tuple[int, Any]]]:
        """Of every slot, each number with its Boolean."""
        return [list(holds.items()) for holds in self._holds]
