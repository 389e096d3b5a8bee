"""Rules that are decided by reading their cells from first to last with a state in hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dgsolve.rules.base import Domains, Rule

if TYPE_CHECKING:
    from dgsolve.factor_graph import Factor
    from dgsolve.rules.posting import PostedCells

Step = Callable[[Any, int, int], Any]  # state, place, number -> the state after it, None where it cannot be
MOST_ARCS = 100_000  # tried in all layers together to narrow domains: a tenth of a second; beyond it none is narrowed
MOST_POSTED = 500_000  # tried to be posted; beyond it the rule is left to the judge


class Layers:
    """The states that readings of some domains can be in, and what each number leads to, layer by layer.

    Exact in both directions (the layered graph of Pesant 2004, "A regular language membership constraint"):
    `arcs[place]` holds (state, number, next state) on ways from the start to an accepted end alone.
    """

    def __init__(
        self,
        domains: Sequence[set[int]],
        start: Any,
        step: Step,
        accepts: Callable[[Any], bool],
        most: int = MOST_ARCS,
    ) -> None:
        self.arcs: list[list[tuple[Any, int, Any]]] = []
        self.whole = True  # False where there are too many, and nothing is known
        states: set[Hashable] = {start}
        for place, domain in enumerate(domains):
            most -= len(states) * len(domain)
            if most < 0:
                self.whole = False
                return
            reached = [(state, number, step(state, place, number)) for state in states for number in domain]
            arcs = [arc for arc in reached if arc[2] is not None]
            self.arcs.append(arcs)
            states = {after for _, _, after in arcs}
        alive = {state for state in states if accepts(state)}
        for place in reversed(range(len(self.arcs))):
            self.arcs[place] = [arc for arc in self.arcs[place] if arc[2] in alive]
            alive = {before for before, _, _ in self.arcs[place]}

    def factor(self, rule: Rule, numbers: Sequence[int]) -> Factor | None:
        """As a factor of `rule` on a grid with these numbers; None where nothing is known, or there is no way."""
        if not self.whole or not all(self.arcs):
            return None
        import numpy as np

        from dgsolve.factor_graph import Factor

        place, layers, arcs = {number: at for at, number in enumerate(numbers)}, [], []
        for steps in self.arcs:
            layers.append({state: at for at, state in enumerate(dict.fromkeys(before for before, _, _ in steps))})
        layers.append({state: at for at, state in enumerate(dict.fromkeys(after for _, _, after in self.arcs[-1]))})
        for steps, (here, there) in zip(self.arcs, pairwise(layers), strict=True):
            found = [(here[before], place[number], there[after]) for before, number, after in steps]
            arcs.append(np.array(sorted(found, key=lambda arc: arc[1]), dtype=np.int32))
        return Factor(rule.kind, rule.cells, (rule, tuple(numbers)), tuple(arcs), tuple(map(len, layers)))

    def narrowed(self) -> Domains | None:
        """The numbers on some way, None where there is no way."""
        domains = [{number for _, number, _ in arcs} for arcs in self.arcs]
        return domains if all(domains) else None


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
        return Layers(domains, self.start(), self.step, self.accepts)

    def factor(self, numbers: Sequence[int]) -> Factor | None:
        return self.layers([set(numbers)] * len(self.cells)).factor(self, numbers)

    def propagate(self, domains: Domains) -> Domains | None:
        layers = self.layers(domains)
        return layers.narrowed() if layers.whole else domains

    def post(self, model: Any, cells: PostedCells) -> None:
        """As arcs of the layered graph, one in each layer, which meet in states; too large, it is left to the judge.

        Each Boolean follows from the cells; CP-SAT's own automaton has some that do not, so that answers come twice.
        """
        domains = [set(cells.choices(slot)) for slot in self.cells]
        layers = Layers(domains, self.start(), self.step, self.accepts, most=MOST_POSTED)
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
