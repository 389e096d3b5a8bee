"""`dgsolve check`: what a schema asks for and how each part of it will be kept, without a model."""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated, Any

import typer

from dgsolve.cli import options
from dgsolve.cli.schema_input import read_schema


def check(
    schema: Annotated[str, typer.Argument(metavar="SCHEMA", help="A file, -, JSON, module:Model, or 'name, age int'.")],
    tokenizer: Annotated[
        str, typer.Option(metavar="NAME", help="Count tokens as this model does: smollm2, or a folder.")
    ] = "smollm2",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Drop keywords that can be neither built in nor checked, and list them.")
    ] = False,
    as_json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Say how each keyword of a schema will be enforced.

    Also how large its automaton is, and how long its shortest text.

    Exit codes: 0 it can be used, 2 it cannot, 3 no value fits it.

    Examples:

      dgsolve check person.schema.json

      dgsolve check app.models:Booking --json
    """
    from dgsolve.checking import check as checked

    report = checked(read_schema(schema), tokenizer, lenient=lenient)
    if as_json:
        print(json.dumps(report.fields()))
    else:
        _print(report)


def _print(report: Any) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, header_style="bold")
    for name in ("where", "keyword", "enforced by", "note"):
        table.add_column(name, overflow="fold")
    silent = Counter(use.keyword for use in report.keywords if use.enforced == "annotation" and not use.note)
    for use in report.keywords:
        if use.enforced != "annotation" or use.note:
            table.add_row(use.pointer or "the root", use.keyword, use.enforced, use.note)
    console.print(table)
    if silent:
        named = ", ".join(f"{count} {keyword}" for keyword, count in sorted(silent.items()))
        console.print(f"annotations, which ask for nothing: {named}", soft_wrap=True, markup=False)
    for line in report.lines():
        console.print(line, soft_wrap=True, markup=False)
