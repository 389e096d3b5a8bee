"""Arrays: first items, the rest, how many, and how many that contain something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import EMPTY_TEXT, Edge, difference, intersect, network
from dgsolve.language.json_schema.assembly import Part
from dgsolve.language.json_schema.compiled import EMPTY, Graph, Language, Loose, loose_of
from dgsolve.language.json_schema.group import Place, under_item
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.node import Node
from dgsolve.language.json_schema.punctuation import CLOSE_BRACKET, COMMA, OPEN_BRACKET
from dgsolve.language.json_schema.unique import Unique, unique
from dgsolve.language.size_limit import TooLargeError

if TYPE_CHECKING:
    from dgsolve.language.json_schema.builder import Builder
    from dgsolve.language.json_schema.rules import Rules


LONGEST = 1_000  # items that there may have to be
SETS = 256  # states for the sets of values that were used, for each item that is counted
KEYWORDS = frozenset(["prefixItems", "items", "contains", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"])


@dataclass(frozen=True)
class Counted:
    """How many items of one kind there may be: `hits[i]` at item i (the last stands for all later ones)."""

    hits: tuple[Acceptor, ...]
    misses: tuple[Acceptor, ...]
    fewest: int
    most: int | None


def language(builder: Builder, rules: Rules, place: Place) -> Language:
    """The texts of the arrays that fit the rules."""
    longest = max([place.group.prefix, *(len(prefix) for prefix in rules.all("prefixItems"))])
    places = [tuple(_places(builder, rules, index)) for index in range(longest + 1)]
    items = [builder.below(places[index], place, place.group.item(index)) for index in range(longest + 1)]
    different = unique(items) if any(rules.all("uniqueItems")) else None
    limits = builder.detail(place)
    fewest, most, loose = _counts(limits, rules, items, different)
    if most is not None and fewest > most:
        return EMPTY
    loose |= loose_of(items) | _left(builder, rules)
    parts, wide = _different(builder, rules, different, fewest, most)
    loose |= wide
    counted = []
    for node in rules.nodes:
        if "contains" in node.rules and (node.rules.get("minContains", 1) or "maxContains" in node.rules):
            found, wide = _contains(builder, node, places, items, place)
            loose |= wide
            counted += [] if found is None else [found]
    if not counted and not parts:
        graphs = tuple(item.graph for item in items)
        return Language(builder.assembled(_edges(graphs, fewest, most)).graph, loose)
    parts += [network(list(_counted_edges(one, fewest, most)), 0, [1]) for one in counted]
    return Language.of(intersect(*parts), loose)


def _places(builder: Builder, rules: Rules, index: int) -> Iterator[str]:
    for node in rules.nodes:
        yield from under_item(node, index)
        if "unevaluatedItems" in node.rules:
            known = builder.evaluated.items(node)
            if known is not None and index >= known:
                yield node.rules["unevaluatedItems"]


def _counts(
    limits: Limits, rules: Rules, items: Sequence[Language], different: Unique | None
) -> tuple[int, int | None, frozenset[Loose]]:
    """How few and how many items to count, and what is left to the validator because counting costs too much."""
    fewest, most = rules.most("minItems") or 0, rules.least("maxItems")
    if different is not None and (different.most < fewest or different.most <= limits.items):
        most = different.most if most is None else min(most, different.most)
    if most is not None and fewest > most:
        return fewest, most, frozenset()
    first_empty = next((k for k, item in enumerate(items) if item.empty), None)
    if first_empty is not None:
        most = first_empty if most is None else min(most, first_empty)
        return fewest, most, frozenset()
    size = max(1, items[-1].size)
    bound = max(len(items), min(limits.items, limits.aim // 4 // size), 1)
    loose: frozenset[Loose] = frozenset()
    rules.refuse_beyond("minItems", LONGEST)
    if fewest > max(bound, limits.aim // size):
        fewest, loose = bound, loose | rules.loose("minItems", f"counting to {fewest} makes the automaton too large")
    if most is not None and most > bound:
        most, loose = None, loose | rules.loose("maxItems", f"counting to {most} makes the automaton too large")
    return fewest, most, loose


def _different(
    builder: Builder, rules: Rules, different: Unique | None, fewest: int, most: int | None
) -> tuple[list[Acceptor], frozenset[Loose]]:
    """The arrays whose items are all different, where that must be and can be known."""
    if not any(rules.all("uniqueItems")) or (most is not None and most <= 1):
        return [], frozenset()
    if different is None:
        return [], rules.loose("uniqueItems", "comparing items is not regular")
    try:
        longest = different.most if most is None else most
        limit = SETS * builder.detail(rules.place).items
        return [builder.once(Unique.arrays, different, fewest, longest, limit)], frozenset()
    except TooLargeError:
        return [], rules.loose("uniqueItems", "to know which values are used makes the automaton too large")


def _left(builder: Builder, rules: Rules) -> frozenset[Loose]:
    loose: frozenset[Loose] = frozenset()
    if not all(
        builder.evaluated.settled(node) and not _judged_contains(builder, node)
        for node in rules.nodes
        if "unevaluatedItems" in node.rules
    ):
        loose |= rules.loose("unevaluatedItems", "which items count depends on the branch")
    return loose


def _judged_contains(builder: Builder, node: Node) -> bool:
    return builder.evaluated.items(node) is None and "items" not in node.rules


def _contains(
    builder: Builder, node: Node, places: Sequence[tuple[str, ...]], items: Sequence[Language], place: Place
) -> tuple[Counted | None, frozenset[Loose]]:
    """Items that fit `contains` and those that do not; None where the counts make the automaton too large."""
    fewest, most = node.rules.get("minContains", 1), node.rules.get("maxContains")
    size = sum(item.size for item in items)
    limits = builder.detail(place)
    bound = min(limits.items, limits.aim // 4 // max(1, size))
    members = place.group.members
    if max(fewest, most or 0) > max(1, bound):
        named = [keyword for keyword in ("contains", "minContains", "maxContains") if keyword in node.rules]
        note, below = "counting makes the automaton too large", (node.rules["contains"],)
        return None, frozenset(Loose(node.pointer, keyword, note, members, below) for keyword in named)
    hits, misses, wide = [], [], []
    for index, (inside, item) in enumerate(zip(places, items, strict=True)):
        hit = builder.below((*inside, node.rules["contains"]), place, place.group.item(index))
        exact = hit.loose <= item.loose
        hits.append(hit.acceptor)
        misses.append(difference(item.acceptor, hit.acceptor) if exact else item.acceptor)
        wide += [] if exact else [hit]
    note = "what it contains is not regular, or too large"
    loose = frozenset({Loose(node.pointer, "contains", note, members)}) if wide else frozenset()
    return Counted(tuple(hits), tuple(misses), fewest, most), loose | loose_of(wide)


def _edges(items: Sequence[Graph], fewest: int, most: int | None) -> Iterator[Part]:
    """The graph over how many items were read, up to where it no longer matters."""
    chain = most if most is not None else max(len(items) - 1, fewest, 1)
    yield 0, 2, OPEN_BRACKET
    for read in range(chain + 1):
        here = 2 + 2 * read  # after so many items; one more is before the next
        if read >= fewest:
            yield here, 1, CLOSE_BRACKET
        if read != most:
            yield here, here + 1, COMMA if read else EMPTY_TEXT
            yield here + 1, 2 + 2 * min(read + 1, chain), items[min(read, len(items) - 1)]


def _counted_edges(items: Counted, fewest: int, most: int | None) -> Iterator[Edge]:
    """The same, and over how many of them were hits."""
    chain = most if most is not None else max(len(items.hits) - 1, fewest, 1)
    top = items.most if items.most is not None else items.fewest

    def after(read: int, hits: int) -> int:
        return 2 + 2 * (read * (top + 1) + hits)

    yield 0, after(0, 0), OPEN_BRACKET
    for read in range(chain + 1):
        for hits in range(top + 1):
            here = after(read, hits)
            if read >= fewest and hits >= items.fewest:
                yield here, 1, CLOSE_BRACKET
            if read == most:
                continue
            yield here, here + 1, COMMA if read else EMPTY_TEXT
            at, then = min(read, len(items.hits) - 1), min(read + 1, chain)
            yield here + 1, after(then, hits), items.misses[at]
            if hits < top or items.most is None:
                yield here + 1, after(then, min(hits + 1, top)), items.hits[at]
