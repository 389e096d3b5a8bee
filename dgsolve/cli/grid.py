"""`dgsolve grid`: solve grids with rules from files or standard input."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.exits import EXIT_CODES
from dgsolve.cli.output_file import opened, refuse_overwriting


def _examples(incomplete: str) -> list[tuple[str, str]]:
    from dgsolve.cli.grid_list import complete_example

    return complete_example(incomplete)


def grid(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Grid files, folders, or - for standard input.")
    ] = None,
    list_kinds: Annotated[
        bool, typer.Option("--list", help="Name every kind of puzzle, and variants, with an example file of each.")
    ] = False,
    example: Annotated[
        str | None,
        typer.Option("--example", metavar="NAME", autocompletion=_examples, help="Print one of these example files."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of these files.")] = False,
    denoiser: options.DenoiserName = "auto",
    steps: options.Steps = None,
    attempts: options.Attempts = None,
    seed: options.Seed = 0,
    threads: options.Threads = 1,
    time_limit: options.TimeLimit = None,
    unique: options.Unique = False,
    every: options.Every = None,
    no_fallback: options.NoFallback = False,
    allow_python: Annotated[
        bool, typer.Option("--allow-python", help="Let rules of the file run the Python functions that they name.")
    ] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="NAME", help="The game of ids that fit several, such as towers.")
    ] = None,
    colours: Annotated[
        int | None, typer.Option("--colours", metavar="N", min=1, help="Colours for a graph that names no number.")
    ] = None,
    as_json: options.Json = False,
    output: options.Output = None,
    save_trace: options.SaveTrace = None,
    svg: options.Svg = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    debug: options.Debug = False,
) -> None:
    """Solve grids with rules: queens, cages, inequalities, maps."""
    if list_kinds or example is not None or schema:
        _tell(list_kinds=list_kinds, example=example, as_json=as_json, output=output)
        return
    from dgsolve.cli.grid_input import count_grids, grid_entries
    from dgsolve.cli.puzzle_run import PuzzleRun, Request, completion_of
    from dgsolve.cli.results import Results
    from dgsolve.cli.talk import Talk

    sources = files or []
    said = {"max_denoising_steps": steps, "attempts": attempts}
    request = Request(
        sources,
        partial(grid_entries, sources, allow_python=allow_python, game=game, colours=colours),
        partial(count_grids, sources),
        denoiser,
        {name: value for name, value in said.items() if value is not None},
        seed,
        threads,
        completion_of(no_fallback=no_fallback, unique=unique, every=every, time_limit=time_limit),
        save_trace,
        svg=svg,
    )
    refuse_overwriting(sources, output, save_trace, svg)
    with opened(output) as stream:
        code = PuzzleRun(request, Talk(quiet, verbose), Results(stream, as_json=as_json)).run()
    raise typer.Exit(code)


def _tell(*, list_kinds: bool, example: str | None, as_json: bool, output: Path | None) -> None:
    """What there is to read before solving: the kinds, a file of one, or what files may say."""
    from dgsolve.cli.grid_list import example_text, write_list
    from dgsolve.grid_files.schema import file_schema

    with opened(output) as stream:
        if list_kinds:
            write_list(stream, as_json=as_json)
        elif example is not None:
            stream.write(example_text(example))
        else:
            stream.write(json.dumps(file_schema(), indent=2, ensure_ascii=False) + "\n")


grid.__doc__ = f"""{grid.__doc__}

A file names its cells, values, givens and rules, or a kind of puzzle and its options; game ids, killer and jigsaw
lines, graphs and Sudokus are read too: docs/grid_formats.md. Results go to stdout: the cells at a terminal, else one
line per grid (the answer, or the status of one that has none, or UNREADABLE), or JSON. Everything else goes to stderr.
Where diffusion does not settle, or cannot read the rules, exact search completes the grid and says so.

{EXIT_CODES}

Examples:

  dgsolve grid --list

  dgsolve grid --example latin > mine.toml

  dgsolve grid mine.toml --unique --json

  dgsolve grid mine.toml --all 5

  dgsolve grid many.jsonl -o answers.txt --time-limit 5

  dgsolve grid mine.toml --svg mine.svg

  dgsolve grid --schema -o grid.schema.json

  dgsolve grid graph.col --colours 4

  echo "4:/1/////1////3//3///,m1b" | dgsolve grid -
"""
