"""The kinds of puzzles in one file as rows of one table, and what could not be read of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.table import Table

from dgsolve.bench.cells import NONE, escaped, line, number, speed

Figures = Mapping[str, Any]
MOST_NAMED = 8


def _of_cpsat(one: Figures) -> str:
    cpsat = one["cpsat"]
    return NONE if cpsat is None else number(cpsat["median_seconds"], 3)


KIND_COLUMNS: dict[str, Callable[[Figures], str]] = {
    "kind": lambda one: one["kind"],
    "puzzles": lambda one: str(one["puzzles"]),
    "solved % (n)": lambda one: f"{number(_first(one)['valid_percent'], 1)} ({_first(one)['valid']})",
    "not read": lambda one: str(len(one["unreadable"]) or NONE),
    "other answer": lambda one: str(len(_first(one)["other_answers"]) or NONE),
    "median s": lambda one: number(_first(one)["median_seconds"], 3),
    "CP-SAT's": _of_cpsat,
    "times CP-SAT": lambda one: speed(_first(one)["ratio_to_cpsat"]),
}

KIND_LEGEND = {
    "not read": "dgsolve cannot read the puzzle; it counts as not solved, in the percentage too.",
    "other answer": "the answer keeps every rule, and is not the file's.",
    "median s": "from a puzzle's first step to its last, while others of its kind share the batch.",
    "CP-SAT's": "its median, of the same puzzles, one at a time.",
    "times CP-SAT": "puzzles a second by CP-SAT's: below 1, CP-SAT is faster.",
}


def _first(one: Figures) -> Figures:
    row: Figures = one["rows"][0]
    return row


def _in_order(one: Figures) -> list[Figures]:
    """The kinds, those with most puzzles first, and all together."""
    return [*sorted(one["kinds"], key=lambda kind: (-kind["puzzles"], kind["kind"].lower())), one]


def kinds_markdown(one: Figures) -> str:
    """A row for each kind of a set and one for all, in Markdown; "" for a set of one kind."""
    rule = line("---" if title == "kind" else "---:" for title in KIND_COLUMNS)
    rows = [line(escaped(cell(kind)) for cell in KIND_COLUMNS.values()) for kind in _in_order(one)]
    return "\n".join([line(KIND_COLUMNS), rule, *rows, ""])


def kinds_rich(one: Figures) -> Table:
    """The same at a terminal, narrow enough for 80 columns."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for title in KIND_COLUMNS:
        left = title == "kind"
        head = title if left else title.replace(" ", "\n", 1)
        table.add_column(head, justify="left" if left else "right", no_wrap=not left, overflow="fold")
    for kind in _in_order(one):
        table.add_row(*(cell(kind) for cell in KIND_COLUMNS.values()), style="bold" if kind is one else "")
    return table


def remarks(one: Figures) -> Iterator[str]:
    """What the figures do not say: why puzzles could not be read, and which right answers are not the file's."""
    for kind in sorted(one.get("kinds", [one]), key=lambda kind: -len(kind["unreadable"])):
        reasons: dict[str, list[str]] = {}
        for puzzle in kind["unreadable"]:
            reasons.setdefault(puzzle["reason"], []).append(puzzle["name"] or f"line {puzzle['line']}")
        for reason, names in reasons.items():
            yield f"Not read, {kind['kind']}: {reason} ({_named(names)})."
    others = _first(one)["other_answers"]
    if others:
        yield f"Right, but not the file's answer: {_named(others)}."
    for kind in one.get("kinds", ()):
        cpsat = kind["cpsat"]
        if cpsat and cpsat["answered"] < cpsat["puzzles"]:
            yield f"CP-SAT, {kind['kind']}: {cpsat['answered']} of {cpsat['puzzles']} answered."


def _named(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
