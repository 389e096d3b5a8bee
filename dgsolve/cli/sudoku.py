"""`dgsolve sudoku`: solve Sudoku puzzles from files, standard input or the command line."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.exits import EXIT_CODES
from dgsolve.cli.option_words import reword
from dgsolve.cli.output_file import opened, refuse_overwriting
from dgsolve.errors import DgsolveError


def sudoku(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(metavar="PUZZLE", help="Files, folders, - for standard input, or puzzles typed as they are."),
    ] = None,
    box: Annotated[
        str | None, typer.Option(metavar="RxC", help="Boxes of R rows and C columns, where the file leaves it open.")
    ] = None,
    symbols: Annotated[
        str | None, typer.Option(metavar="TEXT", help="How the values are written: 1-9A-G, 0-9A-F, A-P, 1-16 ...")
    ] = None,
    denoiser: options.DenoiserName = "auto",
    lines: options.Lines = False,
    adapter: options.Adapter = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    quantize: options.Quantize = None,
    steps: options.Steps = None,
    attempts: options.Attempts = None,
    seed: options.Seed = 0,
    threads: options.Threads = 1,
    time_limit: options.TimeLimit = None,
    unique: options.Unique = False,
    every: options.Every = None,
    no_fallback: options.NoFallback = False,
    as_json: options.Json = False,
    output: options.Output = None,
    save_trace: options.SaveTrace = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    debug: options.Debug = False,
) -> None:
    """Solve Sudoku puzzles by diffusion, from 4x4 to 25x25."""
    from dgsolve.cli.puzzle_input import count_puzzles, puzzle_entries
    from dgsolve.cli.puzzle_run import PuzzleRun, Request, completion_of
    from dgsolve.cli.results import Results
    from dgsolve.cli.talk import Talk

    completion = completion_of(no_fallback=no_fallback, unique=unique, every=every, time_limit=time_limit)
    said = {"max_denoising_steps": steps, "attempts": attempts}
    sampling = {name: value for name, value in said.items() if value is not None}
    place = options.placement(adapter, device, dtype, quantize) | ({"lines": True} if lines else {})
    sources = puzzles or []
    request = Request(
        sources,
        partial(puzzle_entries, sources, box=box, symbols=symbols),
        partial(count_puzzles, sources, box, symbols),
        denoiser,
        sampling,
        seed,
        threads,
        completion,
        save_trace,
        place,
    )
    refuse_overwriting(request.sources, output, save_trace)
    try:
        with opened(output) as stream:
            code = PuzzleRun(request, Talk(quiet, verbose), Results(stream, as_json=as_json)).run()
    except DgsolveError as error:
        reword(error)
        raise
    raise typer.Exit(code)


sudoku.__doc__ = f"""{sudoku.__doc__}

Puzzles may be in any of the formats people have. Results go to stdout: a grid at a terminal, else one line per puzzle
(the answer, or the status of a puzzle that has none, or UNREADABLE), or JSON. Everything else goes to stderr. Where
diffusion does not settle, exact search completes the puzzle and says so.

{EXIT_CODES}

Examples:

  dgsolve sudoku puzzle.txt

  dgsolve sudoku .2.....24.....3.

  dgsolve sudoku giant.txt --symbols 0-9A-F --unique

  dgsolve sudoku many.sdm --json -o answers.jsonl

  grep -v '^#' many.txt | dgsolve sudoku - --time-limit 5
"""
