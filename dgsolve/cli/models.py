"""`dgsolve models`: the language models that dgsolve knows by name, and getting one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from dgsolve.cache_folder import cache_folder
from dgsolve.cli import options
from dgsolve.cli.talk import Talk
from dgsolve.models import NAMES, SHIPPED, LanguageModel, ShippedModel, find, get, model
from dgsolve.ui.terminal import can_redraw

models = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@models.callback()
def _list(context: typer.Context, as_json: options.Json = False, debug: options.Debug = False) -> None:
    """List the language models that dgsolve knows by name, or get one.

    A model that is here can be named wherever dgsolve takes a model; so can the folder of any causal language model or
    DiffusionGemma of Transformers.

    Examples:

      dgsolve models

      dgsolve models get smollm2
    """
    if context.invoked_subcommand is None:
        rows = [_entry(name) for name in NAMES]
        print(json.dumps({"models": rows, "cache": _text(cache_folder())}) if as_json else _table(rows))


@models.command("get")
def _get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `dgsolve models` lists it.")],
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Make a model ready to load, about a minute; its folder goes to stdout.

    From an installed package that carries the weights, else from the Hugging Face Hub. Nothing is done twice, and
    Ctrl-C leaves nothing half done.

    Exit codes: 0 it is here, 2 no such name, 4 it cannot be had, 130 Ctrl-C.
    """
    started = time.monotonic()
    with _told(Talk(quiet)) as progress:
        folder = get(name, progress)
    entry = _entry(name) | {"seconds": round(time.monotonic() - started, 1)}
    print(json.dumps(entry) if as_json else folder)


@contextmanager
def _told(talk: Talk) -> Iterator[Callable[[str], None]]:
    """What is being done: a spinner with a clock where a person watches, else a line each."""
    if not can_redraw(talk.console, quiet=talk.quiet):
        yield talk.note
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=talk.console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda text: bar.update(task, description=text)


def _entry(name: str) -> dict[str, Any]:
    known: LanguageModel | ShippedModel = SHIPPED[name] if name in SHIPPED else model(name)
    folder = find(name)
    return {
        "name": known.name,
        "title": known.title,
        "parameters": known.parameters,
        "licence": known.licence,
        "folder": _text(folder),
        "bytes": None if folder is None else _size(folder),
        "get": None if name in SHIPPED else f"dgsolve models get {name}",
    }


def _text(folder: Path | None) -> str | None:
    return None if folder is None else str(folder)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _table(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        many = f"{row['parameters'] / 1e6:.3g} M parameters"
        lines.append(f"{row['name']:<15} {row['title']}, {many}, {row['licence']}")
        here = f"{row['folder']} ({row['bytes'] / 1e6:.0f} MB)" if row["folder"] else f"not here yet: {row['get']}"
        lines.append(f"{'':<15} {here}")
    return "\n".join(lines)
