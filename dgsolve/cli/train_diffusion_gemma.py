"""`dgsolve train diffusion-gemma`: a DiffusionGemma of a few million parameters, from nothing, on a CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dgsolve.cli import options
from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.diffusion_settings import DiffusionSettings

RUN = Path("runs/diffusion-gemma")
SIZES = (4, 6)  # of the Sudokus that are learnt where no data are given
PUZZLES, TEST_PUZZLES = 100_000, 1_000


def diffusion_gemma(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Where the run lives: data, checkpoint, and the model in FOLDER/model."),
    ] = RUN,
    data: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Pairs to learn, one JSON object a line; again for more. [default: Sudokus]"),
    ] = None,
    minutes: Annotated[float, typer.Option(metavar="N", min=0, help="Wall clock, all runs together.")] = 150.0,
    steps: Annotated[int | None, typer.Option(metavar="N", min=1, help="End after N steps if that is sooner.")] = None,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="Examples in a step.")] = 32,
    lr: Annotated[
        float, typer.Option(metavar="X", min=0, help="AdamW's rate; Muon's, for matrices, is twice that.")
    ] = 2e-3,
    hidden: Annotated[int, typer.Option(metavar="N", min=8, help="Width of the model.")] = 128,
    layers: Annotated[int, typer.Option(metavar="N", min=1, help="Layers of the model.")] = 6,
    encoder_loss: Annotated[
        float, typer.Option(metavar="X", min=0, help="Weight of the causal encoder's next-token loss.")
    ] = 1.0,
    noise_power: Annotated[
        float, typer.Option(metavar="X", min=0, help="Noise is u^X, u even from 0 to 1; below 1 there is more of it.")
    ] = 0.5,
    freeze_router: Annotated[bool, typer.Option("--freeze-router", help="Leave the routing as it starts.")] = False,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=options.MOST_THREADS, help="CPU threads.")] = 1,
    seed: Annotated[int, options.seed("Same seed, same data and same first weights.")] = 0,
    debug: options.Debug = False,
) -> None:
    """Train a small DiffusionGemma from nothing on a CPU; a run that was stopped goes on where it was.

    The same classes as google/diffusiongemma-26B-A4B-it, with a tokenizer of 512 tokens. Without --data it learns 4x4
    and 6x6 Sudokus as text, which it makes first. Where FILE_held_out.jsonl lies beside FILE.jsonl, it tells every five
    minutes how many of its prompts the model answers rightly, by generate() and without constraints.

    Examples:

      dgsolve train diffusion-gemma runs/mine

      dgsolve train diffusion-gemma runs/big --data runs/data/sudoku_81char.jsonl --hidden 192 --minutes 600
    """
    import torch
    from rich.console import Console

    from dgsolve.train.denoising_loss import Noise
    from dgsolve.train.diffusion_settings import DiffusionSettings
    from dgsolve.train.small_model import SmallModel

    torch.set_num_threads(threads)
    settings = DiffusionSettings(
        sizes=SmallModel.of_width(hidden, layers),
        noise=Noise(encoder_weight=encoder_loss, power=noise_power),
        batch=batch,
        learning_rate=lr,
        matrix_rate=2 * lr,
        seconds=60 * minutes,
        steps=steps or DiffusionSettings.steps,
        train_router=not freeze_router,
        seed=seed,
    )
    run_diffusion_gemma(folder, data or [], settings, console=Console(stderr=True))


def run_diffusion_gemma(folder: Path, files: list[Path], settings: DiffusionSettings, *, console: Console) -> None:
    """Make or read the data, train, export; raises UsageError where `folder` holds a run of other sizes."""
    from dgsolve.cli.training_progress import make_room, train_in_sight
    from dgsolve.train.diffusion_gemma import CHECKPOINT
    from dgsolve.train.diffusion_state import DiffusionState
    from dgsolve.train.pair_files import PairFiles
    from dgsolve.train.solve_rate import HeldOut
    from dgsolve.train.text_pairs import PairTokens

    pairs = PairFiles.read(files) if files else None
    checkpoint = folder / CHECKPOINT
    state = DiffusionState.load(checkpoint) if checkpoint.exists() else DiffusionState.create(settings)
    if state.settings.sizes != settings.sizes:
        sizes = state.settings.sizes
        raise UsageError(
            f"{folder} holds a run with --hidden {sizes.hidden} --layers {sizes.layers}",
            hint="Give these sizes, or another folder.",
        )
    state.settings = replace(settings, seed=state.settings.seed)
    pairs = pairs or PairFiles.read(_sudokus(folder, settings, console))
    with console.status("Checking the pairs"):
        canvas, context = settings.sizes.canvas_length, settings.sizes.context
        data = pairs.tokens(lambda some: PairTokens.of_small_model(some, canvas), context)
    make_room(folder, "model")
    train_in_sight(state, data, HeldOut.of(pairs), folder, console)
    state.export(folder / "model")
    console.print(f"A model after {state.step:,} steps: {folder / 'model'}", highlight=False, soft_wrap=True)


def _sudokus(folder: Path, settings: DiffusionSettings, console: Console) -> list[Path]:
    """The files of 4x4 and 6x6 Sudokus in `folder`, made where they are not there."""
    from dgsolve.cli.data import write_sudokus
    from dgsolve.train.sudoku_texts import file_name

    for size in SIZES:
        for test, count in ((False, PUZZLES), (True, TEST_PUZZLES)):
            if not (folder / file_name(size, test=test)).exists():
                write_sudokus(folder, size, count, seed=settings.seed, test=test, console=console)
    return [folder / file_name(size, test=False) for size in SIZES]
