"""Which values all different cells can hold, by matchings (Régin 1994, "A filtering algorithm for constraints of
difference in CSPs")."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.rules.base import Domains


def matched(domains: Domains) -> Domains | None:
    """Each domain with the values that some choice of different values for all cells uses; None: there is none."""
    owner: dict[int, int] = {}  # value -> cell
    for cell in range(len(domains)):
        if not _augment(cell, domains, owner, set()):
            return None
    value_of = {cell: value for value, cell in owner.items()}
    component = _components(domains, owner, value_of)
    reachable = _from_free_values(domains, owner)
    return [
        {
            value
            for value in held
            if value == value_of[cell] or value in reachable or component[value] == component[value_of[cell]]
        }
        for cell, held in enumerate(domains)
    ]


def _augment(cell: int, domains: Sequence[set[int]], owner: dict[int, int], tried: set[int]) -> bool:
    for value in domains[cell]:
        if value not in tried:
            tried.add(value)
            if value not in owner or _augment(owner[value], domains, owner, tried):
                owner[value] = cell
                return True
    return False


def _from_free_values(domains: Sequence[set[int]], owner: dict[int, int]) -> set[int]:
    """The values on alternating paths from one that no cell took: each can be freed for another cell."""
    takers: dict[int, list[int]] = {}
    for cell, held in enumerate(domains):
        for value in held:
            takers.setdefault(value, []).append(cell)
    value_of = {cell: value for value, cell in owner.items()}
    reached = {value for value in takers if value not in owner}
    waiting = list(reached)
    while waiting:
        for cell in takers[waiting.pop()]:
            freed = value_of[cell]
            if freed not in reached:
                reached.add(freed)
                waiting.append(freed)
    return reached


def _components(domains: Sequence[set[int]], owner: dict[int, int], value_of: dict[int, int]) -> dict[int, int]:
    """Strongly connected components of the matched values, an edge from v to w where v's cell could take w (Tarjan)."""
    found: dict[int, int] = {}
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []

    def visit(value: int) -> None:
        index[value] = low[value] = len(index)
        stack.append(value)
        for other in domains[owner[value]]:
            if other not in owner:
                continue
            if other not in index:
                visit(other)
                low[value] = min(low[value], low[other])
            elif other not in found:
                low[value] = min(low[value], index[other])
        if low[value] == index[value]:
            while True:
                member = stack.pop()
                found[member] = value
                if member == value:
                    break

    for value in value_of.values():
        if value not in index:
            visit(value)
    return found
