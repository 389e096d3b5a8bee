"""`dgsolve grid`: solve grids with rules from files or standard input."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.exits import EXIT_CODES
from dgsolve.cli.output_file import opened, refuse_overwriting


def grid(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="TOML or JSON files, folders, or - for standard input.")
    ] = None,
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
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of these files.")] = False,
    as_json: options.Json = False,
    output: options.Output = None,
    save_trace: options.SaveTrace = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    debug: options.Debug = False,
) -> None:
    """Solve grids with rules: queens, cages, inequalities, maps."""
    if schema:
        from dgsolve.grid_files.schema import file_schema

        with opened(output) as stream:
            stream.write(json.dumps(file_schema(), indent=2) + "\n")
        return
    from dgsolve.cli.grid_input import count_grids, grid_entries
    from dgsolve.cli.puzzle_run import PuzzleRun, Request, completion_of
    from dgsolve.cli.results import Results
    from dgsolve.cli.talk import Talk

    sources = files or []
    said = {"max_denoising_steps": steps, "attempts": attempts}
    request = Request(
        sources,
        partial(grid_entries, sources, allow_python=allow_python),
        partial(count_grids, sources),
        denoiser,
        {name: value for name, value in said.items() if value is not None},
        seed,
        threads,
        completion_of(no_fallback=no_fallback, unique=unique, every=every, time_limit=time_limit),
        save_trace,
    )
    refuse_overwriting(sources, output, save_trace)
    with opened(output) as stream:
        code = PuzzleRun(request, Talk(quiet, verbose), Results(stream, as_json=as_json)).run()
    raise typer.Exit(code)


grid.__doc__ = f"""{grid.__doc__}

A file names its cells, values, givens and rules; dgsolve grid --schema prints what it may say. Results go to stdout:
the cells at a terminal, else one line per grid, or JSON. Everything else goes to stderr. Where diffusion does not
settle, or cannot read the rules, exact search completes the grid and says so.

{EXIT_CODES}

Examples:

  dgsolve grid puzzle.toml

  dgsolve grid puzzle.toml --unique --json

  dgsolve grid many.jsonl -o answers.txt
"""
