"""Domains narrowed by all rules of a grid until none has more to say."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.deadline import look
from dgsolve.rules import Domains, Rule
from dgsolve.rules.crossing import Crossing, crossings
from dgsolve.rules.joint import Joint, joints

MOST_CALLS = 10_000  # of rules: what is not narrowed by then is left to the search


class Propagation:
    """Runs each rule again whenever one of its cells lost a value."""

    def __init__(self, rules: Sequence[Rule], numbers: Sequence[int], slots: int) -> None:
        together = joints(rules, numbers)
        alone = {rule for rule in rules if not rule.judged_only}.difference(*(joint.walks for joint in together))
        self._rules: list[Rule | Joint | Crossing] = [
            *(rule for rule in rules if rule in alone),
            *together,
            *crossings(rules, numbers),
        ]
        self._rules_of: list[list[int]] = [[] for _ in range(slots)]
        for number, rule in enumerate(self._rules):
            for slot in rule.heard if isinstance(rule, Crossing) else rule.cells:
                self._rules_of[slot].append(number)

    def narrow(self, domains: Domains) -> Domains | None:
        """The domains (of all slots) at the fixed point, or nearly; None where some slot has nothing left."""
        if not all(domains):
            return None
        domains = list(domains)
        waiting = dict.fromkeys(range(len(self._rules)))
        for _ in range(MOST_CALLS):
            if not waiting:
                break
            look()
            number = next(iter(waiting))
            del waiting[number]
            rule = self._rules[number]
            before = [domains[slot] for slot in rule.cells]
            after = rule.propagate(before)
            if after is None:
                return None
            for slot, old, new in zip(rule.cells, before, after, strict=True):
                if len(new) < len(old):
                    domains[slot] = new
                    waiting |= dict.fromkeys(other for other in self._rules_of[slot] if other != number)
        return domains
