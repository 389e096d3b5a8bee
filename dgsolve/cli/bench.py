"""`dgsolve bench`: honest figures over puzzle sets, by diffusion alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from dgsolve.cli import options
from dgsolve.cli.pipe import quiet_when_closed


def bench(
    context: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILES", help="Puzzle files of any format.")] = None,
    grid: Annotated[bool, typer.Option("--grid", help="FILES hold grids with rules: figures by kind.")] = False,
    set_name: Annotated[
        str | None, typer.Option("--set", metavar="NAME", help="Only sets that have NAME in their name.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="N puzzles of each set, by the seed.")] = None,
    seed: options.Seed = 0,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, max=options.MOST_STEPS, help="Denoising steps of a puzzle, at most.")
    ] = 64,
    attempts: Annotated[
        int, typer.Option(metavar="N", min=1, max=options.MOST_CANVASES, help="Parallel canvases of a puzzle, at most.")
    ] = 8,
    batch: Annotated[
        int, typer.Option(metavar="N", min=1, max=options.MOST_CANVASES, help="Canvases denoised together.")
    ] = 32,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=options.MOST_THREADS, help="Threads of the denoiser (default: torch's own)."
        ),
    ] = None,
    no_propagate: Annotated[
        bool, typer.Option("--no-propagate", help="Without the candidates that the givens leave.")
    ] = False,
    ablate: Annotated[bool, typer.Option("--ablate", help="More rows, each with one part left out.")] = False,
    denoiser: options.DenoiserName = "auto",
    lines: options.Lines = False,
    adapter: options.Adapter = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    quantize: options.Quantize = None,
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="For each puzzle.")] = None,
    no_cpsat: Annotated[bool, typer.Option("--no-cpsat", help="Do not time exact search beside it.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="A new folder (default: runs/bench-TIME).")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with an interrupted run; its settings hold.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as JSON on stdout.")] = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    debug: options.Debug = False,
) -> None:
    """Measure diffusion alone over puzzle sets, beside CP-SAT's speed."""
    from dgsolve.cli.bench_run import execute
    from dgsolve.cli.talk import Talk

    values: dict[str, Any] = {
        "files": tuple(files or ()),
        "grid": grid,
        "set": set_name,
        "sample": sample,
        "seed": seed,
        "steps": steps,
        "attempts": attempts,
        "batch": batch,
        "threads": threads,
        "propagate": not no_propagate,
        "ablate": ablate,
        "denoiser": denoiser,
        "lines": lines,
        "adapter": tuple(map(str, adapter or ())),
        "device": device,
        "dtype": dtype,
        "quantize": quantize,
        "time_limit": time_limit,
        "cpsat": not no_cpsat,
    }
    typed = {_FIELDS.get(name, name) for name in context.params if _was_typed(context, name)}
    folder = output or Path("runs") / time.strftime("bench-%Y%m%d-%H%M%S")
    talk = Talk(quiet, verbose)
    with quiet_when_closed():  # what is done lies in the folder
        code = execute(values, typed & set(values), folder, resume, talk, as_json=as_json)
    raise typer.Exit(code)


_FIELDS = {"set_name": "set", "no_propagate": "propagate", "no_cpsat": "cpsat"}


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


bench.__doc__ = f"""{bench.__doc__}

Solved puzzles, steps, canvases, speed and memory are counted. A set is a file, or the puzzles of one source where a
table has a source column. A table per set goes to stdout (Markdown when piped), and DIR gets results.json, results.md,
accuracy.svg and results.jsonl, a line for each puzzle as it is done. Ctrl-C loses nothing of it.

With --grid a set is a file, and where that holds several kinds of puzzle, its table has a row for each, as the file
names it, and one for all. A grid that cannot be read is counted with its kind, and told with the reason; in every
percentage it counts as not solved.

Exit codes: 0 ran to the end, whatever the figures, 2 wrong usage or a file that cannot be read, 4 denoiser unavailable,
130 Ctrl-C.

Examples:

  dgsolve bench puzzles/*.txt --sample 100

  dgsolve bench hard.csv --set 17_clue --threads 1 --ablate

  dgsolve bench --grid killer.jsonl futoshiki.jsonl

  dgsolve bench --grid variants.json --set thermo --threads 1 --time-limit 10

  dgsolve bench small.txt --denoiser diffusion-gemma --adapter diffusion-gemma-lines --lines

  dgsolve bench --resume runs/bench-20270101-120000
"""
