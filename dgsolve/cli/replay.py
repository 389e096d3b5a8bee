"""`dgsolve replay`: play a saved trace, or export it to show others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.pipe import say
from dgsolve.plural import counted


def replay(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A file written with --save-trace.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write an animated .svg or a .html page.")
    ] = None,
    speed: Annotated[float, typer.Option(metavar="STEPS", help="Steps shown per second.")] = 4.0,
    debug: options.Debug = False,
) -> None:
    """Play a saved trace on the terminal, or export it as SVG or HTML.

    Examples:

      dgsolve sudoku puzzle.txt --save-trace run.jsonl.gz

      dgsolve replay run.jsonl.gz --speed 8

      dgsolve replay run.jsonl.gz -o run.svg
    """
    from rich.console import Console

    from dgsolve.ui import replay as player
    from dgsolve.ui.trace import load_trace

    frames = load_trace(trace)
    if output is None:
        player.play(frames, Console(highlight=False), steps_per_second=speed)
    else:
        player.export(frames, output, steps_per_second=speed)
        say(f"Wrote {output}: {counted(len(frames), 'step')}, at {speed:g} a second. Open it in a web browser.")
