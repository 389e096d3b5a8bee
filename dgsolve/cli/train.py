"""`dgsolve train`: make the weights that ship, or better ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.train_diffusion_gemma import diffusion_gemma
from dgsolve.cli.train_factors import factors
from dgsolve.cli.train_lora import lora
from dgsolve.errors import UsageError
from dgsolve.weights import WEIGHTS_FILE

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.lanes import Lane
    from dgsolve.train.settings import TrainingSettings
    from dgsolve.train.state import TrainingState

RUN = Path("runs/relational")

train = typer.Typer(help="Train a denoiser.", no_args_is_help=True, rich_markup_mode=None)


@train.callback()
def _group() -> None:
    """Train a denoiser."""


train.command("diffusion-gemma")(diffusion_gemma)
train.command()(lora)
train.command()(factors)


@train.command()
def relational(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the run lives: puzzles, checkpoint, trained weights.")
    ] = RUN,
    minutes: Annotated[
        float, typer.Option(metavar="N", min=0, help="Wall clock of the training itself, all runs together.")
    ] = 90.0,
    hidden: Annotated[int, typer.Option(metavar="N", min=1, help="Width of a candidate's state.")] = 48,
    message: Annotated[int, typer.Option(metavar="N", min=1, help="Width of the messages.")] = 64,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=options.MOST_THREADS, help="CPU threads.")] = 1,
    seed: Annotated[int, options.seed("Same seed, same puzzles and same first weights.")] = 0,
    debug: options.Debug = False,
) -> None:
    """Train the embedded relational denoiser on a CPU; a run that was stopped goes on where it was.

    Generates its puzzles first (about fifteen minutes on two cores, kept in FOLDER/puzzles), then trains for --minutes
    and writes FOLDER/model.safetensors and FOLDER/config.json. Stop it with Ctrl-C and start it again at will.

    Examples:

      dgsolve train relational runs/mine

      dgsolve train relational runs/wide --hidden 64 --message 96 --minutes 240

      dgsolve sudoku puzzle.txt --denoiser runs/mine
    """
    from rich.console import Console

    from dgsolve.train.settings import TrainingSettings

    settings = TrainingSettings(hidden=hidden, message=message, seconds=60 * minutes, seed=seed)
    run_relational(folder, settings, threads=threads, console=Console(stderr=True))


def run_relational(folder: Path, settings: TrainingSettings, *, threads: int, console: Console) -> None:
    """Generate, train, export; raises UsageError where `folder` holds a run of other widths."""
    import torch

    from dgsolve.train.state import TrainingState

    torch.set_num_threads(threads)
    checkpoint = folder / "checkpoint.pt"
    state = TrainingState.load(checkpoint) if checkpoint.exists() else TrainingState.create(settings)
    if (state.settings.hidden, state.settings.message) != (settings.hidden, settings.message):
        raise UsageError(
            f"{folder} holds a run with --hidden {state.settings.hidden} --message {state.settings.message}",
            hint="Give these widths, or another folder.",
        )
    state.settings = replace(state.settings, seconds=settings.seconds)
    _train(checkpoint, state, _lanes(folder, state.settings, threads, console), console)
    state.export(folder)
    console.print(f"Weights after {state.step:,} steps: {folder / WEIGHTS_FILE}")


def _lanes(folder: Path, settings: TrainingSettings, threads: int, console: Console) -> list[tuple[float, Lane]]:
    import torch
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    from dgsolve.train.lanes import Lane
    from dgsolve.train.pools import PLANS, prepare

    generator = torch.Generator().manual_seed(settings.seed)
    lanes = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        for plan in PLANS:
            task = bar.add_task(f"puzzles {plan.name}", total=plan.minimal + plan.hard)

            def progress(done: int, total: int, task: TaskID = task) -> None:
                bar.update(task, completed=done, total=total)

            pool = prepare(folder / "puzzles", plan, seed=settings.seed, threads=threads, progress=progress)
            progress(len(pool.puzzles), len(pool.puzzles))
            lanes.append((plan.share, Lane.create(pool, settings, generator)))
    return lanes


def _train(checkpoint: Path, state: TrainingState, lanes: list[tuple[float, Lane]], console: Console) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from dgsolve.train.relational import train as run
    from dgsolve.train.run_loop import Report

    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=state.settings.seconds, completed=int(state.elapsed))

        def report(numbers: Report) -> None:
            words = f"step {numbers['step']:,.0f} · loss {numbers['loss']:.3f} · solved {numbers['solved']:.1%}"
            bar.update(task, completed=numbers["elapsed"], description=words)
            if not console.is_terminal:
                console.print(f"{numbers['elapsed']:.0f} s · {words}")

        run(state, lanes, checkpoint=checkpoint, on_report=report)
