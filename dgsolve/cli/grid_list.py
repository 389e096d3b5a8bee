"""`dgsolve grid --list` and `--example`: every kind of grid, and variants of it, with a file to begin from."""

from __future__ import annotations

import json
import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dgsolve.errors import UsageError
from dgsolve.grid_kinds import grid_kinds
from dgsolve.grid_kinds.examples import example_of, examples
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from rich.table import Table


def write_list(stream: TextIO, *, as_json: bool = False) -> None:
    """A table at a terminal, else a line for each example (name, title, file, with tabs between), or JSON."""
    if as_json:
        stream.write(json.dumps(_listed(), ensure_ascii=False) + "\n")
    elif stream.isatty():
        from rich.console import Console

        Console(file=stream, highlight=False).print(_table())
    else:
        stream.writelines(f"{made.name}\t{made.title}\t{_from_here(made.file)}\n" for made in examples())


def _listed() -> dict[str, Any]:
    """The kinds with their options, and the other examples: variants of a kind, or written rule by rule."""
    made = examples()
    files = {example.name: _from_here(example.file) for example in made}
    return {
        "kinds": [
            {"kind": name, "title": kind.title, "example": files.get(name), "options": list(kind.options())}
            for name, kind in grid_kinds().items()
        ],
        "variants": [
            {"name": example.name, "kind": example.kind, "title": example.title, "example": files[example.name]}
            for example in made
            if example.name != example.kind
        ],
    }


def _from_here(file: Path) -> str:
    """The path as short as a person can type it here."""
    here = Path.cwd()
    return os.path.relpath(file, here) if file.is_relative_to(here) else str(file)


def _table() -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("name", "title", "example"):
        table.add_column(heading, overflow="fold")
    for made in examples():
        table.add_row(made.name, made.title, _from_here(made.file))
    return table


def example_text(name: str) -> str:
    """The example file of a kind, or of a variant; raises UsageError where there is none of that name."""
    made = example_of(name)
    if made is None:
        close = get_close_matches(name, [example.name for example in examples()], 1)
        meant = f"Did you mean {close[0]}?" if close else "dgsolve grid --list names them all."
        raise UsageError(f"--example: there is none called {shown(name)}", hint=meant)
    return made.file.read_text("utf-8")


def complete_example(incomplete: str) -> list[tuple[str, str]]:
    """For the shell: the examples that begin so, with their titles."""
    return [(made.name, made.title) for made in examples() if made.name.startswith(incomplete)]
