"""Two lines of cells compared as numbers are: by the first place where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dgsolve.rules.base import Domains

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


def orders(first: Sequence[int], second: Sequence[int], domains: Domains) -> set[int]:
    """Of -1 (less), 0 (the same) and 1 (greater), all that the first line may be beside the second, or more."""
    found = set()
    for one, other in zip(first, second, strict=True):
        if one == other:
            continue
        if min(domains[one]) < max(domains[other]):
            found.add(-1)
        if max(domains[one]) > min(domains[other]):
            found.add(1)
        if domains[one].isdisjoint(domains[other]):
            return found
    return found | {0}


def at_most(first: Sequence[int], second: Sequence[int], domains: Domains) -> None:
    """Take away what makes the first line greater than the second at the first place where they are not alike."""
    for one, other in zip(first, second, strict=True):
        if one == other or (domains[one] == domains[other] and len(domains[one]) == 1):
            continue
        most, least = max(domains[other], default=0), min(domains[one], default=0)
        domains[one] = {number for number in domains[one] if number <= most}
        domains[other] = {number for number in domains[other] if number >= least}
        return


def posted_less(model: Any, cells: PostedCells, first: Sequence[int], second: Sequence[int]) -> tuple[Any, list[Any]]:
    """Booleans of a CP-SAT model: that the first line of slots is less; one of the others is true where they differ."""
    pairs = []
    for one, other in zip(first, second, strict=True):
        if one != other:
            pairs.append((one, other))
            if not {*cells.choices(one)} & {*cells.choices(other)}:
                break  # what follows decides nothing
    less, differ = model.new_constant(0), []
    for one, other in reversed(pairs):
        before, after = model.new_bool_var(""), model.new_bool_var("")  # less, and greater, at this place
        for number, sign in ((before, 1), (after, -1)):
            gap = sign * (cells.number(other) - cells.number(one))
            model.add(gap >= 1).only_enforce_if(number)
            model.add(gap <= 0).only_enforce_if(number.negated())
        differ += [before, after]
        here = model.new_bool_var("")
        model.add_implication(before, here)
        model.add_implication(after, here.negated())
        model.add(here == less).only_enforce_if([before.negated(), after.negated()])
        less = here
    return less, differ
