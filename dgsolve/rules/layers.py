"""All readings of some domains by a rule that is an automaton, layer by layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from dgsolve.deadline import look
from dgsolve.rules.base import Domains

if TYPE_CHECKING:
    from dgsolve.factor_graph import Factor

Step = Callable[[Any, int, int], Any]  # state, place, number -> the state after it, None where it cannot be
Arc = tuple[Any, int, Any]  # a state, a number, the state after it
MOST_ARCS = 100_000  # tried in all layers together to narrow domains: a tenth of a second; beyond it none is narrowed


@dataclass(frozen=True)
class Layers:
    """The states that readings of some domains can be in, and what each number leads to, layer by layer.

    Exact in both directions (the layered graph of Pesant 2004, "A regular language membership constraint"):
    `arcs[place]` holds the arcs on ways from the start to an accepted end alone. Where there are too many, `whole` is
    false and nothing is known.
    """

    arcs: tuple[list[Arc], ...]
    whole: bool = True

    @classmethod
    def read(
        cls,
        domains: Sequence[set[int]],
        start: Any,
        step: Step,
        accepts: Callable[[Any], bool],
        most: int = MOST_ARCS,
    ) -> Layers:
        """All readings from `start` on; at most `most` arcs are tried."""
        layers: list[list[Arc]] = []
        states: dict[Hashable, None] = {start: None}  # in order, which a set of texts has anew in each process
        for place, domain in enumerate(domains):
            look()
            most -= len(states) * len(domain)
            if most < 0:
                return cls((), whole=False)
            reached = [(state, number, step(state, place, number)) for state in states for number in domain]
            layers.append([arc for arc in reached if arc[2] is not None])
            states = dict.fromkeys(after for _, _, after in layers[-1])
        return cls(_pruned(layers, {state for state in states if accepts(state)}))

    def backwards(self) -> Layers:
        """The same readings of the slots from last to first."""
        turned = ([(after, number, before) for before, number, after in arcs] for arcs in reversed(self.arcs))
        return Layers(tuple(turned), self.whole)

    def meet(self, other: Layers, most: int = MOST_ARCS) -> Layers:
        """What both read, a pair of states for each two; not whole beyond `most` arcs."""
        if not (self.whole and other.whole):
            return Layers((), whole=False)
        layers: list[list[Arc]] = []
        starts = (dict.fromkeys(before for before, _, _ in read.arcs[0]) for read in (self, other))
        states = dict.fromkeys(product(*starts))
        look()
        for mine, theirs in zip(map(_ways, self.arcs), map(_ways, other.arcs), strict=True):
            arcs = [
                (both, number, after)
                for both in states
                for number in mine[both[0]].keys() & theirs[both[1]].keys()
                for after in product(mine[both[0]][number], theirs[both[1]][number])
            ]
            layers.append(arcs)
            most -= len(arcs)
            if most < 0:
                return Layers((), whole=False)
            states = dict.fromkeys(after for _, _, after in arcs)
        return Layers(_pruned(layers, set(states)))

    def factor(self, kind: str, cells: tuple[int, ...], key: Hashable, numbers: Sequence[int]) -> Factor | None:
        """As a factor on a grid with these numbers; None where nothing is known, or there is no way."""
        if not self.whole or not all(self.arcs):
            return None
        import numpy as np

        from dgsolve.factor_graph import Factor

        place, arcs = {number: at for at, number in enumerate(numbers)}, []
        layers = [_numbered(before for before, _, _ in steps) for steps in self.arcs]
        layers[0] = dict.fromkeys(layers[0], 0)  # all starts are one: nothing leads to them
        layers.append(_numbered(after for _, _, after in self.arcs[-1]))
        for steps, (here, there) in zip(self.arcs, pairwise(layers), strict=True):
            found = {(here[before], place[number], there[after]): None for before, number, after in steps}
            arcs.append(np.array(sorted(found, key=lambda arc: arc[1]), dtype=np.int32))
        states = (1, *map(len, layers[1:]))
        return Factor(kind, cells, (key, tuple(numbers)), tuple(arcs), states)

    def narrowed(self) -> Domains | None:
        """The numbers on some way, None where there is no way."""
        domains = [{number for _, number, _ in arcs} for arcs in self.arcs]
        return domains if all(domains) else None


def _pruned(layers: list[list[Arc]], alive: set[Hashable]) -> tuple[list[Arc], ...]:
    """Without the arcs from which no state `alive` after the last slot is reached."""
    for place in reversed(range(len(layers))):
        layers[place] = [arc for arc in layers[place] if arc[2] in alive]
        alive = {before for before, _, _ in layers[place]}
    return tuple(layers)


def _ways(arcs: list[Arc]) -> dict[Any, dict[int, list[Any]]]:
    """Of each state, where each number leads."""
    ways: dict[Any, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for before, number, after in arcs:
        ways[before][number].append(after)
    return ways


def _numbered(states: Iterable[Any]) -> dict[Any, int]:
    return {state: at for at, state in enumerate(dict.fromkeys(states))}
