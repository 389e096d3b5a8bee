"""What must still hold of the rest of a text: alternatives of conditions, each a point in a pattern or a negation.

A point n (a node of a graph) holds of a rest that some walk from n reads from its beginning.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

from dgsolve.language.acceptor import TooLargeError

MAX_WORK = 2_000_000  # cases looked at: some seconds


class Not(NamedTuple):
    """The formula does not hold."""

    formula: Formula


Condition = int | Not
Case = frozenset[Condition]  # all of these
Formula = frozenset[Case]  # any of these

TRUE: Formula = frozenset({frozenset()})
FALSE: Formula = frozenset()


def negation(formula: Formula) -> Formula:
    if formula in (TRUE, FALSE):
        return FALSE if formula else TRUE
    (condition, *others) = next(iter(formula))
    if len(formula) == 1 and not others and isinstance(condition, Not):
        return condition.formula
    return frozenset({frozenset({Not(formula)})})


def holds_at_end(formula: Formula) -> bool:
    """Whether the formula holds of an empty rest: no point does, as each has a character to read."""
    return any(all(isinstance(one, Not) and not holds_at_end(one.formula) for one in case) for case in formula)


@dataclass
class Formulas:
    """`and` and `or`, which count what they cost: TooLargeError beyond the limit."""

    states: int = 0  # found so far, for the error
    work: int = 0

    def spend(self, cases: int) -> None:
        self.work += cases
        if self.work > MAX_WORK:
            raise TooLargeError(self.states)

    def either(self, cases: Set[Case]) -> Formula:
        """Any of the cases, without those that ask for more than another one does."""
        self.spend(len(cases))
        if frozenset() in cases:
            return TRUE
        long = [case for case in cases if len(case) > 1]
        if not long:
            return frozenset(cases)
        short = frozenset(cases).difference(long)
        single = frozenset[Condition]().union(*short)
        kept: list[Case] = []
        for case in sorted(long, key=len):
            self.spend(len(kept) // 4)
            if single.isdisjoint(case) and not any(fewer <= case for fewer in kept):
                kept.append(case)
        return short.union(kept)

    def both(self, these: Formula, those: Formula) -> Formula:
        if TRUE in (these, those):
            return those if these == TRUE else these
        self.spend(len(these) * len(those))
        return self.either({one | other for one in these for other in those})
