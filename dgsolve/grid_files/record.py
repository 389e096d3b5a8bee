"""A grid from the tables of a file, whatever the file was written in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files import keys
from dgsolve.grid_kinds import grid_kinds
from dgsolve.problems.grid import Grid
from dgsolve.problems.grid_building import make_rule
from dgsolve.problems.grid_values import Values
from dgsolve.rules import rule_kinds
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_whole


def grid_of_record(record: Any, *, allow_python: bool = False) -> Grid:
    """The grid that the tables describe; raises PuzzleError with the key of what is wrong.

    Either `kind` and the options of that kind, or a table `grid`; then any number of tables `rule`.
    """
    record = keys.table(record, "")
    grid = _of_kind(record) if "kind" in record else _plain(record)
    listed = record.get("rule", [])
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise PuzzleError("rules are a list of tables", key="rule", hint="In TOML each begins with [[rule]].")
    for number, written in enumerate(listed, 1):
        _add_rules(grid, keys.table(written, f"rule[{number}]"), f"rule[{number}]", allow_python)
    return grid


def _of_kind(record: Mapping[str, Any]) -> Grid:
    name, kinds = record["kind"], grid_kinds()
    if not isinstance(name, str) or name not in kinds:
        close = get_close_matches(name, kinds, 1) if isinstance(name, str) else []
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(kinds)}."
        raise PuzzleError(f"there is no kind called {shown(name)}", key="kind", hint=hint)
    made = kinds[name]
    keys.refuse_unknown(record, ("kind", "rule", *keys.TOP, *made.options()), "")
    given = {key: value for key, value in record.items() if key in made.options()}
    grid = made.read(given)
    grid.title = _title(record) or grid.title
    return grid


def _plain(record: Mapping[str, Any]) -> Grid:
    keys.refuse_unknown(record, ("grid", "rule", "kind", *keys.TOP), "")
    if "grid" not in record:
        hint = "Write [grid] with rows, cols and values; or kind = the name of a puzzle."
        raise PuzzleError("there is no table called grid", hint=hint)
    table = keys.table(record["grid"], "grid")
    keys.refuse_unknown(table, keys.GRID, "grid")
    if "values" not in table:
        raise PuzzleError("the grid needs values", key="grid", hint='For instance: values = "1-9".')
    with _blaming("grid.values"):
        made: dict[str, Any] = {"values": Values.of(table["values"])}
    made |= {name: table[name] for name in ("rows", "cols", "cells") if name in table}
    grid = _made("grid.cells" if "cells" in table else "grid", made)
    for name in ("holes", "givens", "domains"):
        if name in table:
            made[name] = table[name]
            grid = _made(f"grid.{name}", made)
    grid.title = _title(record)
    return grid


def _made(key: str, parts: Mapping[str, Any]) -> Grid:
    """The grid; raises PuzzleError at `key`, or at the part that its message begins with."""
    with _blaming(key, parts):
        return Grid(**parts)


@contextmanager
def _blaming(key: str, parts: Iterable[str] = ()) -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        named = next((name for name in parts if error.message.startswith(f"{name}=")), None)
        raise PuzzleError(error.message, key=f"grid.{named}" if named else key, hint=error.hint) from error


def _title(record: Mapping[str, Any]) -> str:
    title = record.get("title", "")
    if not isinstance(title, str):
        raise PuzzleError(f"a title is a text, not {shown(title)}", key="title")
    return title


def _add_rules(grid: Grid, written: Mapping[str, Any], at: str, allow_python: bool) -> None:
    kind, kinds = written.get("type"), rule_kinds()
    if not isinstance(kind, str) or kind not in kinds:
        close = get_close_matches(kind, kinds, 1) if isinstance(kind, str) else []
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(kinds)}."
        raise PuzzleError(f"no rule is called {shown(kind)}", key=f"{at}.type" if "type" in written else at, hint=hint)
    if kind == "python" and not allow_python:
        hint = "Solve it with --allow-python if you trust the file, or allow_python=True."
        raise PuzzleError("this rule would run Python code that the file names", key=f"{at}.type", hint=hint)
    keys.refuse_unknown(written, ("type", *keys.SCOPES, *kinds[kind].parameters()), at)
    shared = {key: value for key, value in written.items() if key not in ("type", *keys.SCOPES)}
    scopes = list(_scopes(grid, written, at))
    if not any(key in written for key in keys.SCOPES):
        raise PuzzleError("this rule names no cells", key=at, hint='Write cells = "r1c1 r1c2", or rows = true.')
    for cells, own, place in scopes:
        try:
            grid.add_rule(make_rule(grid.cells, grid.values, kind, (cells,), {**shared, **own}))
        except UsageError as error:
            raise PuzzleError(error.message, key=_blamed(error, shared, at, place), hint=error.hint) from error


def _blamed(error: UsageError, shared: Mapping[str, Any], at: str, place: str) -> str:
    """The key of the parameter that the message names, else of the cells."""
    named = next((name for name in shared if f": {name} must" in error.message), None)
    return f"{at}.{named}" if named else place


def _scopes(grid: Grid, written: Mapping[str, Any], at: str) -> Iterator[tuple[Any, dict[str, Any], str]]:
    """The cells of each rule that a table stands for, its own parameters, and its place in the file."""
    for key in keys.SCOPES:
        if key not in written:
            continue
        place = f"{at}.{key}"
        try:
            found = list(_cells_of(grid, key, written[key]))
        except UsageError as error:
            raise PuzzleError(error.message, key=place, hint=error.hint) from error
        for number, (cells, own) in enumerate(found, 1):
            yield cells, own, f"{place}[{number}]" if key == "each" else place


def _cells_of(grid: Grid, key: str, asked: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    if key == "cells":
        yield asked, {}
    elif key == "each":
        for item in asked if isinstance(asked, Sequence) and not isinstance(asked, str) else _no_list(asked):
            if isinstance(item, Mapping):
                own = dict(item)
                yield own.pop("cells", ()), own
            else:
                yield item, {}
    elif key in ("rows", "cols"):
        yield from ((line, {}) for line in _lines(grid, key, asked) if line)
    elif key == "boxes":
        yield from ((line, {}) for line in grid.boxes(*_box(asked)))
    elif key == "regions":
        yield from ((line, {}) for line in grid.regions(asked))
    elif asked is not True:
        raise UsageError(f"this must be true, not {shown(asked)}", hint=f"Leave out {key} where it is not wanted.")
    else:
        yield from ((line, {}) for line in (grid.diagonals() if key == "diagonals" else grid.neighbours()))


def _lines(grid: Grid, key: str, asked: Any) -> list[tuple[str, ...]]:
    lines = grid.rows() if key == "rows" else grid.cols()
    if asked is True:
        return lines
    numbers = asked if isinstance(asked, Sequence) and not isinstance(asked, str) else _no_list(asked)
    for number in numbers:
        if not is_whole(number) or number not in range(1, len(lines) + 1):
            raise UsageError(f"{shown(number)} is not one of the {key} 1 to {len(lines)}")
    return [lines[number - 1] for number in numbers]


def _box(asked: Any) -> tuple[int, int]:
    shape = re.fullmatch(r"(\d{1,4})x(\d{1,4})", asked) if isinstance(asked, str) else None
    if shape is None:
        raise UsageError(f"{shown(asked)} is no size of a box", hint='Write "3x3", rows first.')
    return int(shape[1]), int(shape[2])


def _no_list(asked: Any) -> Any:
    raise UsageError(f"this must be a list, not {shown(asked)}")
