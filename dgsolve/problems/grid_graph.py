"""A grid's rules as exactly-one groups, where all of them are of that kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from dgsolve.factor_graph import FactorGraph
from dgsolve.problems.grid_values import Values
from dgsolve.rules import Candidate, Rule


@lru_cache(maxsize=64)
def factor_graph(rules: tuple[Rule, ...], values: Values, slots: int) -> FactorGraph | None:
    """The graph of all rules, None where one is more than groups."""
    found = [rule.groups(values.numbers) for rule in rules]
    whole = [groups for groups in found if groups is not None]
    if len(whole) < len(found):
        return None
    exactly = (group for groups in whole for group in groups.exactly_one)
    at_most = (group for groups in whole for group in groups.at_most_one)
    return FactorGraph.from_groups(slots, len(values), _candidates(exactly, values), _candidates(at_most, values))


def _candidates(groups: Iterable[tuple[Candidate, ...]], values: Values) -> Iterator[list[int]]:
    for group in groups:
        yield [slot * len(values) + values.place[number] for slot, number in group]
