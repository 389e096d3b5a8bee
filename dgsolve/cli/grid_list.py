"""`dgsolve grid --list` and `--example`: every kind of grid by name, with a file to begin from."""

from __future__ import annotations

import json
import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dgsolve.errors import UsageError
from dgsolve.grid_kinds import grid_kinds
from dgsolve.grid_kinds.examples import example_file
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from rich.table import Table


def write_list(stream: TextIO, *, as_json: bool = False) -> None:
    """A table at a terminal, else a line for each kind (name, title, example file, with tabs between), or JSON."""
    kinds = [_entry(name) for name in grid_kinds()]
    if as_json:
        stream.write(json.dumps({"kinds": kinds}, ensure_ascii=False) + "\n")
    elif stream.isatty():
        from rich.console import Console

        Console(file=stream, highlight=False).print(_table(kinds))
    else:
        stream.writelines(f"{kind['kind']}\t{kind['title']}\t{kind['example'] or ''}\n" for kind in kinds)


def _entry(name: str) -> dict[str, Any]:
    made, example = grid_kinds()[name], example_file(name)
    return {
        "kind": name,
        "title": made.title,
        "example": None if example is None else _from_here(example),
        "options": list(made.options()),
    }


def _from_here(file: Path) -> str:
    """The path as short as a person can type it here."""
    here = Path.cwd()
    return os.path.relpath(file, here) if file.is_relative_to(here) else str(file)


def _table(kinds: list[dict[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("kind", "title", "example"):
        table.add_column(heading, overflow="fold")
    for kind in kinds:
        table.add_row(kind["kind"], kind["title"], kind["example"] or "")
    return table


def example_text(kind: str) -> str:
    """The example file of a kind; raises UsageError where there is none, or no such kind."""
    if kind not in grid_kinds():
        close = get_close_matches(kind, grid_kinds(), 1)
        meant = f"Did you mean {close[0]}?" if close else "dgsolve grid --list names them all."
        raise UsageError(f"--example: there is no kind called {shown(kind)}", hint=meant)
    file = example_file(kind)
    if file is None:
        raise UsageError(f"--example: no example of {kind} is here", hint="Install dgsolve again with pip.")
    return file.read_text("utf-8")


def complete_kind(incomplete: str) -> list[tuple[str, str]]:
    """For the shell: the kinds that begin so, with their titles."""
    return [(name, kind.title) for name, kind in grid_kinds().items() if name.startswith(incomplete)]
