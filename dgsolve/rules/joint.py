"""Rules over the same cells read as one: what is narrowed, and what a denoiser hears, is exact for all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from dgsolve.rules.all_different import AllDifferent
from dgsolve.rules.base import Domains, Rule
from dgsolve.rules.layers import Layers
from dgsolve.rules.walk import Walk

if TYPE_CHECKING:
    from dgsolve.factor_graph import Factor

MOST_ARCS = 20_000  # of what rules read together: a hundredth of a second; beyond it each reads alone


@dataclass(frozen=True)
class Joint:
    """Walks over the same cells, in the order of `cells` or, where they are among `turned`, in the other.

    distinct: no number may come twice besides. Both clues of a row of skyscrapers and its heights, all different, say
    more together than each after the other.
    """

    cells: tuple[int, ...]
    walks: tuple[Walk, ...]
    turned: frozenset[Walk] = frozenset()
    distinct: bool = False

    @property
    def kind(self) -> str:
        """That of its first walk: a denoiser knows no others."""
        return self.walks[0].kind

    def propagate(self, domains: Domains) -> Domains | None:
        """As a rule does: exact where the readings are few, else by each walk alone until none says more."""
        while True:
            together = self._layers(domains)
            if together.whole:
                return together.narrowed()
            narrowed = self._one_by_one(domains)
            if narrowed is None or narrowed == domains:
                return narrowed
            domains = narrowed

    def _one_by_one(self, domains: Domains) -> Domains | None:
        for walk in self.walks:
            way = -1 if walk in self.turned else 1
            narrowed = walk.propagate(domains[::way])
            if narrowed is None:
                return None
            domains = narrowed[::way]
        return domains

    def factors(self, numbers: Sequence[int]) -> list[Factor]:
        """What a denoiser hears: one factor, or that of each walk where the readings are too many."""
        together = self._layers([set(numbers)] * len(self.cells)).factor(self.kind, self.cells, self, numbers)
        alone = [] if together else [walk.factor(numbers) for walk in self.walks]
        return [factor for factor in (together, *alone) if factor is not None]

    def _layers(self, domains: Domains) -> Layers:
        return reduce(lambda read, more: read.meet(more, MOST_ARCS), self._readings(domains))

    def _readings(self, domains: Domains) -> Iterator[Layers]:
        for walk in self.walks:
            yield walk.layers(domains[::-1]).backwards() if walk in self.turned else walk.layers(domains)
        if self.distinct:
            yield Layers.read(domains, frozenset(), _another, lambda held: True, MOST_ARCS)


def _another(held: frozenset[int], place: int, number: int) -> frozenset[int] | None:
    return None if number in held else held | {number}


def joints(rules: Sequence[Rule], numbers: Sequence[int]) -> list[Joint]:
    """The walks heard as factors that share all their cells, two or more, or one beside all_different."""
    same: dict[frozenset[int], list[Rule]] = defaultdict(list)
    for rule in rules:
        if isinstance(rule, AllDifferent | Walk):
            same[frozenset(rule.cells)].append(rule)
    return [joint for these in same.values() if len(these) > 1 for joint in _joint(these, numbers)]


def _joint(rules: Sequence[Rule], numbers: Sequence[int]) -> Iterator[Joint]:
    distinct = any(isinstance(rule, AllDifferent) and not any(rule.offsets) for rule in rules)
    walks = [rule for rule in rules if isinstance(rule, Walk) and rule.is_factor(numbers)]
    cells = next((walk.cells for walk in walks if not walk.orderly), walks[0].cells if walks else ())
    turned = frozenset(walk for walk in walks if walk.cells == cells[::-1] and not walk.orderly)
    fitting = [walk for walk in walks if walk.cells == cells or walk in turned or walk.orderly]
    if len(fitting) + distinct > 1 and fitting:
        yield Joint(cells, tuple(fitting), turned, distinct)
