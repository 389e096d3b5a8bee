"""`dgsolve train lora`: adapt a given DiffusionGemma with low-rank matrices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dgsolve.cli import options
from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.lora import LoraSettings

RUN = Path("runs/lora")


def lora(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A folder or a name on the Hub: a DiffusionGemma.")],
    data: Annotated[
        list[Path], typer.Option(metavar="FILE", help="Pairs to learn, one JSON object a line; again for more.")
    ],
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Where the run lives: checkpoint, and the adapter in FOLDER/adapter."),
    ] = RUN,
    steps: Annotated[int, typer.Option(metavar="N", min=1, help="Steps, all runs together.")] = 1_000,
    minutes: Annotated[float | None, typer.Option(metavar="N", min=0, help="End after N minutes if sooner.")] = None,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="Examples in a step.")] = 8,
    lr: Annotated[float, typer.Option(metavar="X", min=0, help="Learning rate.")] = 1e-4,
    rank: Annotated[int, typer.Option(metavar="N", min=1, help="Rank of the matrices; alpha is twice that.")] = 16,
    encoder_loss: Annotated[
        float, typer.Option(metavar="X", min=0, help="Weight of the causal encoder's next-token loss.")
    ] = 1.0,
    noise_power: Annotated[
        float, typer.Option(metavar="X", min=0, help="Noise is u^X, u even from 0 to 1; below 1 there is more of it.")
    ] = 1.0,
    whole_share: Annotated[
        float,
        typer.Option(
            metavar="X", min=0, max=1, help="Share of batches with a whole canvas; others are as long as their texts."
        ),
    ] = 1.0,
    device: Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda, or auto.")] = "auto",
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=options.MOST_THREADS, help="CPU threads.")] = 1,
    seed: Annotated[int, options.seed("Same seed, same first weights and same draws.")] = 0,
    debug: options.Debug = False,
) -> None:
    """Adapt a DiffusionGemma to pairs of prompt and answer; a run that was stopped goes on where it was.

    Routers, experts and the model's own weights stay as they are. Where FILE_held_out.jsonl lies beside FILE.jsonl, it
    tells every five minutes how many of its prompts the model answers rightly, without constraints. Needs peft.

    Examples:

      dgsolve train lora runs/mine/model runs/lora --data runs/data/sudoku_81char.jsonl

      dgsolve train lora google/diffusiongemma-26B-A4B-it runs/big --data pairs.jsonl --device cuda
    """
    import torch
    from rich.console import Console

    from dgsolve.train.denoising_loss import Noise
    from dgsolve.train.lora import LoraSettings

    torch.set_num_threads(threads)
    settings = LoraSettings(
        noise=Noise(encoder_weight=encoder_loss, power=noise_power),
        batch=batch,
        learning_rate=lr,
        steps=steps,
        seconds=float("inf") if minutes is None else 60 * minutes,
        whole_share=whole_share,
        rank=rank,
        alpha=2 * rank,
        seed=seed,
    )
    run_lora(model, folder, data, settings, device=device, console=Console(stderr=True))


def run_lora(
    model: str, folder: Path, files: list[Path], settings: LoraSettings, *, device: str, console: Console
) -> None:
    """Load the base, train, export; raises UsageError where `folder` holds a run of another rank."""
    from dgsolve.cli.training_progress import make_room, train_in_sight
    from dgsolve.train.diffusion_gemma import CHECKPOINT
    from dgsolve.train.lora import LoraState, load_base
    from dgsolve.train.pair_files import PairFiles
    from dgsolve.train.solve_rate import HeldOut
    from dgsolve.train.text_pairs import PairTokens

    pairs = PairFiles.read(files)
    base, tokenizer, end_of_turn = load_base(model, device)
    checkpoint = folder / CHECKPOINT
    state = LoraState.load(checkpoint, base) if checkpoint.exists() else LoraState.create(base, settings)
    if state.settings.rank != settings.rank:
        raise UsageError(
            f"{folder} holds a run with --rank {state.settings.rank}", hint="Give this rank, or another folder."
        )
    state.settings = replace(settings, seed=state.settings.seed)
    config: Any = base.config
    canvas, context = config.canvas_length or 256, config.text_config.max_position_embeddings
    with console.status("Checking the pairs"):
        data = pairs.tokens(lambda some: PairTokens(some, tokenizer, end_of_turn, canvas), context)
    make_room(folder, "adapter")
    train_in_sight(state, data, HeldOut.of(pairs), folder, console)
    state.export(folder / "adapter")
    console.print(f"An adapter after {state.step:,} steps: {folder / 'adapter'}", highlight=False, soft_wrap=True)
