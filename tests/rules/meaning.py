"""What every kind of rule means, in as few words as can be, and parameters to try it with, for brute force."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

SPAN = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted)
STATES = st.integers(0, 2)


def parameters(kind: str, cells: int, numbers: Sequence[int]) -> st.SearchStrategy[dict[str, Any]]:
    """What a rule of `kind` may take over so many cells; values are numbers."""
    if kind == "regular":
        return st.one_of(_runs(numbers), _automaton(numbers))
    return st.fixed_dictionaries(_strategies(kind, cells, numbers))


def _runs(numbers: Sequence[int]) -> st.SearchStrategy[dict[str, Any]]:
    lengths = st.lists(st.integers(1, 2), max_size=2)
    return st.fixed_dictionaries({"runs": lengths, "filled": st.sampled_from(list(numbers))})


def _automaton(numbers: Sequence[int]) -> st.SearchStrategy[dict[str, Any]]:
    steps = st.dictionaries(st.tuples(STATES, st.sampled_from(list(numbers))), STATES, min_size=1)
    transitions = steps.map(lambda found: [[state, number, after] for (state, number), after in found.items()])
    accepting = st.lists(STATES, max_size=3)
    return st.fixed_dictionaries({"transitions": transitions, "start_state": STATES, "accepting": accepting})


def _strategies(kind: str, cells: int, numbers: Sequence[int]) -> dict[str, st.SearchStrategy[Any]]:
    value = st.sampled_from(list(numbers))
    row = st.lists(value, min_size=cells, max_size=cells)
    pairs = list(itertools.permutations(numbers, 2))
    widths = st.sampled_from([width for width in range(1, cells + 1) if not cells % width])
    found: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "adjacent": {"never": st.booleans()},
        "all_different": {"offsets": st.just([]) | st.lists(st.integers(-1, 1), min_size=cells, max_size=cells)},
        "at_most": {"value": value, "limit": st.integers(0, 3)},
        "connected": {"value": value, "width": widths},
        "count": {"values": st.lists(value, min_size=1, max_size=2), "times": SPAN},
        "difference": {"difference": SPAN, "never": st.booleans()},
        "equal": {},
        "exactly_one": {"value": value},
        "less_than": {"strict": st.booleans()},
        "no_three_in_row": {"longest": st.integers(1, 3)},
        "not_equal": {},
        "product": {"product": row.map(math.prod) | st.integers(-4, 12)},
        "rank": {
            "rank": st.integers(1, 9),
            "side": st.sampled_from(["left", "right", "top", "bottom"]),
            "line": st.integers(1, math.isqrt(cells)),
            "tied": st.booleans(),
        },
        "ratio": {"ratio": st.integers(1, 3), "never": st.booleans()},
        "python": {"function": st.sampled_from([f"{__name__}:{name}" for name in ("ends_alike", "alternating")])},
        "sandwich": {"total": st.integers(-1, 5), "between": st.sampled_from([list(pair) for pair in pairs])},
        "sum": {
            "total": SPAN.map(lambda ends: [ends[0], ends[1] + 4]),
            "distinct": st.booleans(),
            "weights": st.just([]) | st.lists(st.integers(-2, 2), min_size=cells, max_size=cells),
        },
        "table": {"tuples": st.lists(row, max_size=9), "forbidden": st.booleans()},
        "unlike_lines": {"length": widths},
        "visible": {"visible": st.integers(1, 4)},
    }
    return found[kind]


KINDS = (
    *("adjacent", "all_different", "at_most", "connected", "count", "difference", "equal", "exactly_one", "less_than"),
    *("no_three_in_row", "not_equal", "product", "python", "rank", "ratio", "regular", "sandwich", "sum", "table"),
    *("unlike_lines", "visible"),
)


def ends_alike(values: tuple[Any, ...]) -> bool:
    """A rule in Python that answers with true or false."""
    return values[0] == values[-1]


def alternating(values: tuple[Any, ...]) -> str | None:
    """A rule in Python that answers with what is wrong."""
    return "two neighbours hold the same" if any(x == y for x, y in itertools.pairwise(values)) else None


def truth(kind: str, numbers: tuple[int, ...], p: dict[str, Any]) -> bool:
    """Whether the numbers of its cells keep a rule of `kind` with the parameters `p`."""
    pairs = list(itertools.pairwise(numbers))
    apart = [abs(x - y) for x, y in pairs]
    if kind == "adjacent":
        return all((d == 1) != p["never"] for d in apart)
    if kind == "all_different":
        moved = [n + o for n, o in zip(numbers, p["offsets"] or [0] * len(numbers), strict=True)]
        return differ(moved)
    if kind == "at_most":
        return numbers.count(p["value"]) <= p["limit"]
    if kind == "connected":
        return is_one_piece({divmod(at, p["width"]) for at, n in enumerate(numbers) if n == p["value"]})
    if kind == "count":
        return p["times"][0] <= sum(n in p["values"] for n in numbers) <= p["times"][1]
    if kind == "difference":
        return all((p["difference"][0] <= d <= p["difference"][1]) != p["never"] for d in apart)
    if kind == "equal":
        return len(set(numbers)) == 1
    if kind == "exactly_one":
        return numbers.count(p["value"]) == 1
    if kind == "less_than":
        return all(x < y or (x == y and not p["strict"]) for x, y in pairs)
    if kind == "no_three_in_row":
        return all(len(list(run)) <= p["longest"] for _, run in itertools.groupby(numbers))
    if kind == "not_equal":
        return numbers[0] != numbers[1]
    if kind == "product":
        return math.prod(numbers) == p["product"]
    if kind == "python":
        return globals()[p["function"].partition(":")[2]](numbers) in (True, None)
    if kind == "rank":
        return is_ranked(numbers, p)
    if kind == "ratio":
        return all((x == y * p["ratio"] or y == x * p["ratio"]) != p["never"] for x, y in pairs)
    if kind == "regular" and "transitions" in p:
        state, steps = p["start_state"], {(at, n): after for at, n, after in p["transitions"]}
        for n in numbers:
            state = steps.get((state, n))
        return state in p["accepting"]
    if kind == "regular":
        return [len(list(run)) for n, run in itertools.groupby(numbers) if n == p["filled"]] == p["runs"]
    if kind == "sandwich":
        ends = [at for at, n in enumerate(numbers) if n in p["between"]]
        once = len(ends) == 2 and numbers[ends[0]] != numbers[ends[1]]
        return once and sum(numbers[ends[0] + 1 : ends[1]]) == p["total"]
    if kind == "sum":
        weighed = [n * weight for n, weight in zip(numbers, p["weights"] or [1] * len(numbers), strict=True)]
        return (not p["distinct"] or differ(numbers)) and p["total"][0] <= sum(weighed) <= p["total"][1]
    if kind == "table":
        return (list(numbers) in p["tuples"]) != p["forbidden"]
    if kind == "unlike_lines":
        lines = [numbers[at : at + p["length"]] for at in range(0, len(numbers), p["length"])]
        return differ(lines)
    return sum(n > max(numbers[:at], default=n - 1) for at, n in enumerate(numbers)) == p["visible"]


def is_ranked(numbers: Sequence[int], p: dict[str, Any]) -> bool:
    """Whether a line of a square has its rank among all, read from both ends."""
    size = math.isqrt(len(numbers))
    rows = [tuple(numbers[at : at + size]) for at in range(0, len(numbers), size)]
    cols = list(zip(*rows, strict=True))
    read = {"left": rows, "right": [row[::-1] for row in rows], "top": cols, "bottom": [col[::-1] for col in cols]}
    every, own = [line for lines in read.values() for line in lines], read[p["side"]][p["line"] - 1]
    return sum(line < own for line in every) == p["rank"] - 1 and (p["tied"] or every.count(own) == 1)


def differ(held: Sequence[Any]) -> bool:
    """Whether nothing comes twice."""
    return len(set(held)) == len(held)


def is_one_piece(places: set[tuple[int, int]]) -> bool:
    """Whether (row, column) places hang together by edges; none at all do."""
    reached = set(sorted(places)[:1])
    for _ in places:
        reached |= {(r, c) for r, c in places if any(abs(r - y) + abs(c - x) == 1 for y, x in reached)}
    return reached == places
