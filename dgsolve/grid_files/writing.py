"""A grid as the tables of a file, and these as TOML or JSON."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from dgsolve.problems import grid_text
from dgsolve.problems.grid import Grid
from dgsolve.puzzle_files.decoding import plain
from dgsolve.rules import Rule


def record_of_grid(grid: Grid) -> dict[str, Any]:
    """The tables of a file, of plain JSON types; `grid_of_record` reads them back as an equal grid."""
    cells, values = grid.cells, grid.values
    table: dict[str, Any] = {"rows": cells.rows, "cols": cells.cols} if cells.rows else {"cells": list(cells.names)}
    if cells.rows * cells.cols > len(cells):
        whole = type(cells).rectangle(cells.rows, cells.cols)
        table["holes"] = " ".join(name for name in whole.names if name not in cells.index)
    table["values"] = list(values.natives)
    if grid.givens:
        held = {grid.cell(slot): values.native(number) for slot, number in enumerate(grid.held) if number is not None}
        table["givens"] = grid_text.rows_of(cells, values, grid.held) if cells.rows else held
    if grid.domains:
        table["domains"] = {
            grid.cell(slot): [values.native(number) for number in values.numbers if number in kept]
            for slot, kept in grid.domains.items()
        }
    title = {"title": grid.title} if grid.title else {}
    return {**title, "grid": table, "rule": _rules(grid)}


def _rules(grid: Grid) -> list[dict[str, Any]]:
    """Rules that follow one another and differ in their cells alone are one table."""
    spaced = any(len(name.split()) > 1 or "," in name for name in grid.names)

    def cells(rule: Rule) -> Any:
        names = [grid.cell(slot) for slot in rule.cells]
        return names if spaced else " ".join(names)

    def alike(rule: Rule) -> str:
        return json.dumps([rule.kind, rule.written(grid.native)])

    listed = []
    for _, run in groupby(grid.rules, alike):
        rules = list(run)
        scope = {"cells": cells(rules[0])} if len(rules) == 1 else {"each": [cells(rule) for rule in rules]}
        listed.append({"type": rules[0].kind, **scope, **rules[0].written(grid.native)})
    return listed


def json_of_grid(grid: Grid) -> str:
    """One JSON object on one line, which `dgsolve grid` reads."""
    return _json(record_of_grid(grid))


def toml_of_grid(grid: Grid) -> str:
    """The file that `dgsolve grid` reads."""
    record = record_of_grid(grid)
    lines = [f"title = {_toml(record['title'])}", ""] if "title" in record else []
    lines += ["[grid]", *(_pair(key, value) for key, value in record["grid"].items())]
    for rule in record["rule"]:
        lines += ["", "[[rule]]", *(_pair(key, value) for key, value in rule.items())]
    return "\n".join(lines) + "\n"


def _pair(key: str, value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return f"{key} = [\n{''.join(f'    {_toml(item)},' + chr(10) for item in value)}]"
    return f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    """JSON's spelling of texts, numbers, flags and lists is TOML's too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return _json(value)


def _json(value: Any) -> str:
    """With escapes for what is read as a plain sign (a dash as a hyphen), and for DEL, which TOML takes only so."""
    written = json.dumps(value, ensure_ascii=False)
    return "".join(sign if plain(sign) == sign != "\x7f" else f"\\u{ord(sign):04x}" for sign in written)
