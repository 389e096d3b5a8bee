"""Options that several commands share, under one name each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

Json = Annotated[bool, typer.Option("--json", help="JSON on stdout: one object per result.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Nothing on stderr but errors.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say on stderr how every puzzle went.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the results to FILE instead of stdout.")
]
Quantize = Annotated[
    Literal["8bit", "4bit"] | None,
    typer.Option("--quantize", help="Keep the model's weights in fewer bits: less memory, slower."),
]

Adapter = Annotated[
    list[Path] | None,
    typer.Option("--adapter", metavar="FOLDER", help="A LoRA adapter on the model, or one's name; again for more."),
]
Device = Annotated[
    str | None, typer.Option("--device", metavar="NAME", help="Of a language model: auto, cpu, cuda, cuda:1, mps.")
]
Dtype = Annotated[
    str | None, typer.Option("--dtype", metavar="NAME", help="Its numbers: float32, bfloat16 or float16.")
]


def placement(
    adapter: list[Path] | None, device: str | None, dtype: str | None, quantize: str | None
) -> dict[str, Any]:
    """What was said of where and how a language model is kept, by the names that `dgsolve.load` knows."""
    said = {"adapter": adapter or None, "device": device, "dtype": dtype, "quantize": quantize}
    return {name: value for name, value in said.items() if value is not None}


def seed(words: str) -> Any:
    """The option --seed, from 0 to what a generator of random numbers takes; help leaves the range out."""
    return typer.Option("--seed", metavar="N", callback=_checked_seed, help=words)


def _checked_seed(value: int) -> int:
    if not 0 <= value < 2**63:
        raise typer.BadParameter(f"{value} is not a whole number from 0 to {2**63 - 1}.")
    return value


Seed = Annotated[int, seed("Same seed, same answer.")]

MOST_STEPS, MOST_CANVASES, MOST_THREADS = 1_000_000, 1024, 256  # beyond these a machine fails rather than helps
MOST_SHOWN = 10_000  # solutions; each is held and checked before the first is printed

DenoiserName = Annotated[
    str,
    typer.Option("--denoiser", metavar="NAME", help="auto, relational, diffusion-gemma, random, or the folder of one."),
]
Lines = Annotated[bool, typer.Option("--lines", help="A language model is asked, and answers, row by row.")]
Steps = Annotated[
    int | None,
    typer.Option("--steps", metavar="N", min=1, max=MOST_STEPS, help="Denoising steps of a puzzle, at most (48)."),
]
Attempts = Annotated[
    int | None,
    typer.Option(
        "--attempts", metavar="N", min=1, max=MOST_CANVASES, help="Parallel canvases of a puzzle, at most (8)."
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=MOST_THREADS,
        help="CPU threads; more than 1 helps on idle cores only, and costs much on busy ones.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="Per puzzle; a quarter is kept for exact search."),
]
Unique = Annotated[bool, typer.Option("--unique", help="Prove whether the answer is the only solution.")]
Every = Annotated[int | None, typer.Option("--all", min=1, max=MOST_SHOWN, metavar="N", help="Show up to N solutions.")]
NoFallback = Annotated[
    bool, typer.Option("--no-fallback", help="Diffusion alone: no exact search where it does not settle.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw one puzzle and its answer as an SVG picture.")
]
SaveTrace = Annotated[
    Path | None,
    typer.Option("--save-trace", metavar="FILE", help="Keep every step of one puzzle for dgsolve replay."),
]
