"""A grid's rules as exactly-one groups, and factors for those that are more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from dgsolve.factor_graph import FactorGraph
from dgsolve.problems.grid_values import Values
from dgsolve.rules import Candidate, Rule
from dgsolve.rules.joint import joints


@lru_cache(maxsize=64)
def factor_graph(rules: tuple[Rule, ...], values: Values, slots: int) -> FactorGraph | None:
    """The graph of all rules; None where no rule is groups or a factor, though there are some."""
    together = joints(rules, values.numbers)
    joined = {walk for joint in together for walk in joint.walks}
    groups = [None if rule in joined or rule.by_factor else rule.groups(values.numbers) for rule in rules]
    alone = [rule for rule, found in zip(rules, groups, strict=True) if found is None and rule not in joined]
    known = [found for found in groups if found is not None]
    whole = [factor for rule in alone if (factor := rule.factor(values.numbers)) is not None]
    whole += [factor for joint in together for factor in joint.factors(values.numbers)]
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
