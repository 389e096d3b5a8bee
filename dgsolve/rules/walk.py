"""Rules that are decided by reading their cells from first to last with a state in hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dgsolve.rules.base import Domains, Rule
from dgsolve.rules.layers import Layers

if TYPE_CHECKING:
    from dgsolve.factor_graph import Factor
    from dgsolve.rules.posting import PostedCells

MOST_POSTED = 500_000  # tried to be posted; beyond it the rule is left to the judge


@dataclass(frozen=True)
class Walk(Rule):
    """A rule given by a start, a step and what ends are accepted; exact propagation and the CP-SAT form follow."""

    @abstractmethod
    def start(self) -> Any:
        """The state before the first cell; states are hashable and never None."""

    @abstractmethod
    def step(self, state: Any, place: int, number: int) -> Any:
        """The state after the cell at `place` holds `number`, None where that breaks the rule."""

    @abstractmethod
    def accepts(self, state: Any) -> bool:
        """Whether the rule is kept, in the state after the last cell."""

    def kept(self, numbers: Sequence[int]) -> bool:
        """Whether the numbers of all cells keep the rule."""
        state = self.start()
        for place, number in enumerate(numbers):
            state = self.step(state, place, number)
            if state is None:
                return False
        return self.accepts(state)

    def layers(self, domains: Sequence[set[int]]) -> Layers:
        """All readings of these domains."""
        return Layers.read(domains, self.start(), self.step, self.accepts)

    def factor(self, numbers: Sequence[int]) -> Factor | None:
        return self.layers([set(numbers)] * len(self.cells)).factor(self.kind, self.cells, self, numbers)

    def propagate(self, domains: Domains) -> Domains | None:
        layers = self.layers(domains)
        return layers.narrowed() if layers.whole else domains

    def post(self, model: Any, cells: PostedCells) -> None:
        """As arcs of the layered graph, one in each layer, which meet in states; too large, it is left to the judge.

        Each Boolean follows from the cells; CP-SAT's own automaton has some that do not, so that answers come twice.
        """
        domains = [set(cells.choices(slot)) for slot in self.cells]
        layers = Layers.read(domains, self.start(), self.step, self.accepts, most=MOST_POSTED)
        if not layers.whole:
            cells.left_to_judge = True
            return
        reached: dict[Any, list[Any]] = {}  # the arcs of the layer before, by the state that they lead to
        for slot, arcs in zip(self.cells, layers.arcs, strict=True):
            holding: dict[int, list[Any]] = {number: [] for number in cells.choices(slot)}
            left: dict[Any, list[Any]] = {state: [] for state in reached}
            came: dict[Any, list[Any]] = {}
            for before, number, after in arcs:
                taken = model.new_bool_var("")
                holding[number].append(taken)
                left.setdefault(before, []).append(taken)
                came.setdefault(after, []).append(taken)
            for number, taken_arcs in holding.items():
                model.add_exactly_one([*taken_arcs, cells.holds(slot, number).negated()])
            for state, taken_arcs in reached.items():
                meeting = model.new_bool_var("")
                model.add_exactly_one([*taken_arcs, meeting])
                model.add_exactly_one([*left[state], meeting])
            reached = came
