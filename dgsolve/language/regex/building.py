"""From a pattern to an automaton over bytes."""

from __future__ import annotations

from collections import defaultdict

from dgsolve.language.acceptor import Acceptor, TooLargeError
from dgsolve.language.algebra import LIMIT, Edge, network
from dgsolve.language.code_points import ANY, CodePoints, Spelling
from dgsolve.language.regex.alphabet import letters
from dgsolve.language.regex.formula import holds_at_end
from dgsolve.language.regex.graph import DONE, Graph
from dgsolve.language.regex.parser import parse
from dgsolve.language.regex.syntax import Chars, Repeat, Sequence, at_end
from dgsolve.language.regex.walk import Walk
from dgsolve.language.size_limit import limit, refuse_beyond

DEAD_TOO = 8  # times as many states as there may be are looked at, for most may lead nowhere
Row = dict[int, list[int]]  # by target, the letters that lead there


def compile_regex(pattern: str, spelling: Spelling, *, anchored: bool = False, longest: int | None = None) -> Acceptor:
    """The texts in which an ECMA-262 pattern matches somewhere or, `anchored`, which it matches as a whole.

    `longest`: no text has more characters, so that a repeat with a higher bound may be one without end. Raises
    RegexError for what is no such pattern or no regular language, TooLargeError where the automaton gets too large.

        compile_regex("^a|b$", utf8).accepts(b"xb")  # True
    """
    walk, start, alphabet = walked(pattern, anchored=anchored, longest=longest)
    rows, finals = _explored(walk, start)
    return network(_edges(rows, finals, alphabet, spelling), 0, finals)


def walked(
    pattern: str, *, anchored: bool = False, longest: int | None = None
) -> tuple[Walk, int, list[CodePoints]]:
    """The walk over such a pattern, the node that it starts from, and its letters; errors as `compile_regex`."""
    tree = parse(pattern)
    ends = (tree, at_end()) if anchored else (Repeat(Chars(ANY), 0, None), tree)
    graph = Graph(longest)
    start = graph.add(Sequence(ends), DONE)
    sets = list(dict.fromkeys(reads for reads in graph.reads if reads is not None))
    alphabet, made = letters(sets)
    letters_of = dict(zip(sets, made, strict=True))
    walk = Walk(graph, [() if reads is None else letters_of[reads] for reads in graph.reads], len(alphabet))
    return walk, start, alphabet


def _explored(walk: Walk, node: int) -> tuple[list[Row], list[int]]:
    states = [walk.start(node)]
    numbers = {states[0]: 0}
    rows: list[Row] = []
    most = min(LIMIT, DEAD_TOO * limit())
    for state in states:
        row: Row = defaultdict(list)
        for letter, after in walk.steps(state):
            if after not in numbers:
                if len(states) >= most:
                    raise TooLargeError(len(states))
                refuse_beyond(0)  # looks at the clock alone
                numbers[after] = walk.formulas.states = len(states)
                states.append(after)
            row[numbers[after]].append(letter)
        rows.append(row)
    return rows, [number for number, (formula, _) in enumerate(states) if holds_at_end(formula)]


def _edges(rows: list[Row], finals: list[int], alphabet: list[CodePoints], spelling: Spelling) -> list[Edge]:
    alive = _alive(rows, finals)  # spelling what leads nowhere would take most of the time
    spelled: dict[tuple[int, ...], Acceptor] = {}
    edges = []
    for state, row in enumerate(rows):
        for target, numbers in row.items():
            if target in alive:
                key = tuple(sorted(numbers))
                if key not in spelled:
                    ranges = (pair for number in key for pair in alphabet[number].ranges)
                    spelled[key] = spelling(CodePoints.between(ranges))
                edges.append((state, target, spelled[key]))
    return edges


def _alive(rows: list[Row], finals: list[int]) -> set[int]:
    """The states from which a final one is reached."""
    before: defaultdict[int, list[int]] = defaultdict(list)
    for state, row in enumerate(rows):
        for target in row:
            before[target].append(state)
    alive, pending = set(finals), list(finals)
    for state in pending:
        pending += (fresh := [origin for origin in before[state] if origin not in alive])
        alive.update(fresh)
    return alive
