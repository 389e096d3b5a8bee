"""How long one operation on automata takes: dgsolve.language, OpenFst through kaldifst, and a textbook version.

    pip install kaldifst          # for that column
    python benchmarks/automata.py

CPU milliseconds, the median of five runs. All start from the same finished parts and end with a minimal automaton whose
arcs are at hand in Python; the number of states must agree. OpenFst gets one label for bytes that act alike everywhere;
"inside" is its own share, without the way in and out as text.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from statistics import median

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import (
    EMPTY_TEXT,
    Edge,
    byte_set,
    concat,
    difference,
    intersect,
    literal,
    network,
    repeat,
    star,
    strings,
    union,
)

Arc = tuple[int, int, int, int]  # source, low byte, high byte, target
Nfa = tuple[list[Arc], list[tuple[int, int]], int, set[int]]  # arcs, moves without a byte, start, finals

inside: list[float] = []  # CPU seconds of OpenFst's own functions, without the way in and out
SEVERAL = [byte_set(range(first, 0xC0)) for first in (0x80, 0xA0, 0x90)]


def letter() -> Acceptor:
    """A character inside a JSON string."""
    tail, after_e0, after_f0 = SEVERAL
    plain = byte_set(b for b in range(0x20, 0x80) if b not in b'"\\')
    escape = concat(literal(b"\\"), byte_set(b'"\\bfnrt'))
    two = concat(byte_set(range(0xC2, 0xE0)), tail)
    three = union(concat(literal(b"\xe0"), after_e0, tail), concat(byte_set(range(0xE1, 0xF0)), tail, tail))
    four = union(concat(literal(b"\xf0"), after_f0, tail, tail), concat(byte_set(range(0xF1, 0xF5)), tail, tail, tail))
    return union(plain, escape, two, three, four)


def string(most: int | None = None) -> list[Edge]:
    return [(0, 1, literal(b'"')), (1, 2, repeat(letter(), 0, most)), (2, 3, literal(b'"'))]


STRING = network(string(), 0, [3])
NUMBER = concat(union(literal(b"-"), EMPTY_TEXT), byte_set(b"123456789"), star(byte_set(b"0123456789")))
SCALAR = union(STRING, NUMBER, literal(b"0"), literal(b"true"), literal(b"false"), literal(b"null"))


def members(key: Acceptor, value: Acceptor) -> list[Edge]:
    """An object with any members."""
    member = concat(key, literal(b":"), value)
    return [(0, 1, literal(b"{")), (1, 2, member), (2, 1, literal(b",")), (1, 3, literal(b"}")), (2, 3, literal(b"}"))]


def any_value(depth: int) -> list[Edge]:
    if depth == 0:
        return [(0, 1, SCALAR)]
    inner = network(any_value(depth - 1), 0, [1])
    items = [(0, 1, literal(b"[")), (1, 2, inner), (2, 1, literal(b",")), (1, 3, literal(b"]")), (2, 3, literal(b"]"))]
    return [(0, 1, SCALAR), (0, 1, network(items, 0, [3])), (0, 1, network(members(STRING, inner), 0, [3]))]


def properties(count: int, value: Acceptor) -> list[Edge]:
    """An object of optional properties in order: two nodes a property, before and after the first one present."""
    edges = [(0, 2, literal(b"{")), (2 * count + 2, 1, literal(b"}")), (2 * count + 3, 1, literal(b"}"))]
    for none in range(2, 2 * count + 2, 2):
        member = concat(literal(b'"property%d":' % none), value)
        edges += [(none, none + 2, EMPTY_TEXT), (none + 1, none + 3, EMPTY_TEXT)]
        edges += [(none, none + 3, member), (none + 1, none + 3, concat(literal(b","), member))]
    return edges


def words(count: int) -> list[bytes]:
    draw = random.Random(0)
    return [b'"%s"' % bytes(draw.choices(b"abcdefghijklmnop", k=12)) for _ in range(count)]


def nfa(edges: Iterable[Edge], start: int, finals: Iterable[int]) -> Nfa:
    """The graph as one automaton with moves without a byte; node k is state k."""
    edges = list(edges)
    count = 1 + max(node for origin, target, _ in edges for node in (origin, target))
    arcs, jumps = [], []
    for origin, target, part in edges:
        arcs += [(q + count, low, high, to + count) for q, row in enumerate(part.rows) for low, high, to in row]
        jumps += [(origin, count), *((q + count, target) for q in part.finals)]
        count += len(part)
    return arcs, jumps, start, set(finals)


def textbook(machine: Nfa) -> list[object]:
    """Subset construction over single states, then Moore's refinement."""
    arcs, jumps, start, finals = machine
    leads: dict[int, list[Arc]] = {}
    skips: dict[int, list[int]] = {}
    for arc in arcs:
        leads.setdefault(arc[0], []).append(arc)
    for origin, target in jumps:
        skips.setdefault(origin, []).append(target)

    def closed(states: Iterable[int]) -> frozenset[int]:
        seen = set(states)
        stack = list(seen)
        while stack:
            fresh = set(skips.get(stack.pop(), ())) - seen
            seen |= fresh
            stack += fresh
        return frozenset(state for state in seen if state in leads or state in finals)

    subsets = [closed([start])]
    numbers, rows = {subsets[0]: 0}, []
    for subset in subsets:
        live = [arc for state in subset for arc in leads.get(state, ())]
        row = []
        for low, end in pairwise(sorted({b for _, first, last, _ in live for b in (first, last + 1)})):
            there = closed(to for _, first, last, to in live if first <= low <= last)
            if there and numbers.setdefault(there, len(subsets)) == len(subsets):
                subsets.append(there)
            row += [(byte, numbers[there]) for byte in range(low, end) if there]
        rows.append(row)
    blocks, count = [int(bool(subset & finals)) for subset in subsets], 0
    while len(set(blocks)) != count:
        count, keys = len(set(blocks)), {}
        signed = [(own, *((byte, blocks[to]) for byte, to in row)) for own, row in zip(blocks, rows, strict=True)]
        blocks = [keys.setdefault(key, len(keys)) for key in signed]
    return list(set(blocks))


class OpenFst:
    """kaldifst over classes of bytes; byte class k is label k + 1, label 0 moves without a byte."""

    def __init__(self, arcs: Iterable[Arc]) -> None:
        import kaldifst

        self.library = kaldifst
        self.cuts = sorted({byte for _, low, high, _ in arcs for byte in (low, high + 1)})
        self.place = {cut: number for number, cut in enumerate(self.cuts, 1)}

    def fst(self, machine: Nfa, missing: bool = False) -> object:
        """`missing` turns the language of a deterministic automaton into all other texts."""
        arcs, jumps, start, finals = machine
        states = {start, *(state for arc in arcs for state in (arc[0], arc[3]))}
        used: dict[int, set[int]] = {state: set() for state in states}
        moves = [(a, b, 0) for a, b in jumps]
        for source, low, high, target in arcs:
            labels = range(self.place[low], self.place[high + 1])
            moves += [(source, target, label) for label in labels]
            used[source].update(labels)
        if missing:
            dump, labels = max(states) + 1, set(range(1, len(self.cuts)))
            moves += [(q, dump, label) for q in states for label in labels - used[q]]
            moves += [(dump, dump, label) for label in labels]
            finals = {*states, dump} - finals
        moves.sort(key=lambda move: move[0] != start)  # the first line names the start
        lines = [f"{a} {b} {label}" for a, b, label in moves] + [str(state) for state in finals]
        return self.library.compile("\n".join(lines) + "\n", acceptor=True)

    def minimal(self, fst: object) -> list[object]:
        """Arcs and finals of the smallest automaton; the list has one entry for each state."""
        begin = time.process_time()
        self.library.rmepsilon(fst)
        fst = self.library.determinize(fst)
        self.library.minimize(fst)
        inside.append(time.process_time() - begin)
        lines = [line.split() for line in fst.to_str(is_acceptor=True).splitlines()]  # type: ignore[attr-defined]
        arcs = [(int(line[0]), int(line[1]), int(line[2])) for line in lines if len(line) > 2]
        return list({state for arc in arcs for state in arc[:2]})

    def product(self, these: object, those: object) -> list[object]:
        self.library.arcsort(these, sort_type="olabel")
        return self.minimal(self.library.compose(these, those))


def single(part: Acceptor) -> Nfa:
    return [(q, low, high, to) for q, row in enumerate(part.rows) for low, high, to in row], [], 0, set(part.finals)


def openfst_product(these: Acceptor, those: Acceptor, missing: bool) -> list[object]:
    fst = OpenFst(single(these)[0] + single(those)[0])
    return fst.product(fst.fst(single(these)), fst.fst(single(those), missing))


def openfst_network(machine: Nfa) -> list[object]:
    fst = OpenFst(machine[0])
    return fst.minimal(fst.fst(machine))


def graph_case(edges: list[Edge], final: int) -> dict[str, Callable[[], object]]:
    return {
        "dgsolve": lambda: network(edges, 0, [final]),
        "OpenFst": lambda: openfst_network(nfa(edges, 0, [final])),
        "textbook": lambda: textbook(nfa(edges, 0, [final])),
    }


def cases() -> dict[str, dict[str, Callable[[], object]]]:
    value, many = network(any_value(4), 0, [1]), words(5000)
    keys, record = strings(words(300)), network(properties(30, SCALAR), 0, [1])
    chains: list[Edge] = [(0, 1, literal(word)) for word in many]
    record_of_any = network(members(STRING, value), 0, [3])
    return {
        "three small parts": graph_case([(0, 1, literal(b'"name":')), (1, 2, NUMBER), (2, 3, literal(b","))], 3),
        "string, maxLength 200": graph_case(string(200), 3),
        "object, 30 optional properties": graph_case(properties(30, SCALAR), 1),
        "any JSON, depth 4": graph_case(any_value(4), 1),
        "enum of 5,000 strings": {**graph_case(chains, 1), "dgsolve": lambda: strings(many)},
        "both of two objects": {
            "dgsolve": lambda: intersect(record, record_of_any),
            "OpenFst": lambda: openfst_product(record, record_of_any, False),
        },
        "strings but for 300 keys": {
            "dgsolve": lambda: difference(STRING, keys),
            "OpenFst": lambda: openfst_product(STRING, keys, True),
        },
    }


def measured(work: Callable[[], object]) -> tuple[int, float]:
    spans = []
    while len(spans) < 5 and sum(spans) < 3:
        begin = time.process_time()
        made = work()
        spans.append(time.process_time() - begin)
    return len(made), 1e3 * median(spans)  # type: ignore[arg-type]


def main() -> None:
    print(
        f"{'CPU ms':32}{'states':>8}" + "".join(f"{name:>10}" for name in ("dgsolve", "OpenFst", "inside", "textbook"))
    )
    for title, ways in cases().items():
        states, shown = 0, ""
        inside.clear()
        for name in ("dgsolve", "OpenFst", "textbook"):
            try:
                count, spent = measured(ways[name]) if name in ways else (states, None)
            except ModuleNotFoundError:
                count, spent = states, None
            if states and count != states:
                raise SystemExit(f"{title}: {name} finds {count} states, not {states}")
            states, shown = count, shown + (f"{'-':>10}" if spent is None else f"{spent:10.1f}")
            if name == "OpenFst":
                shown += f"{1e3 * median(inside):10.1f}" if inside else f"{'-':>10}"
        print(f"{title:32}{states:8,}{shown}", flush=True)


if __name__ == "__main__":
    main()
