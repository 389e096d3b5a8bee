"""A grid's rules as exactly-one groups, and factors for those that are more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from dgsolve.factor_graph import FactorGraph
from dgsolve.problems.grid_values import Values
from dgsolve.rules import Candidate, Rule


@lru_cache(maxsize=64)
def factor_graph(rules: tuple[Rule, ...], values: Values, slots: int) -> FactorGraph | None:
    """The graph of all rules; None where no rule is groups or a factor, though there are some."""
    groups = [None if rule.by_factor else rule.groups(values.numbers) for rule in rules]
    factors = [rule.factor(values.numbers) for rule, found in zip(rules, groups, strict=True) if found is None]
    known = [found for found in groups if found is not None]
    whole = [factor for factor in factors if factor is not None]
    if rules and not known and not whole:
        return None
    exactly = (group for found in known for group in found.exactly_one)
    at_most = (group for found in known for group in found.at_most_one)
    return FactorGraph.from_groups(
        slots, len(values), _candidates(exactly, values), _candidates(at_most, values), whole
    )


def _candidates(groups: Iterable[tuple[Candidate, ...]], values: Values) -> Iterator[list[int]]:
    for group in groups:
        yield [slot * len(values) + values.place[number] for slot, number in group]
