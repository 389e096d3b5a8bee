"""`dgsolve train factors`: the relational denoiser's network for rules that are more than exactly-one groups."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dgsolve.cli import options
from dgsolve.errors import UsageError
from dgsolve.weights import WEIGHTS_FILE

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.factor_settings import FactorSettings
    from dgsolve.train.factors import FactorTraining
    from dgsolve.train.grid_lane import GridLane

RUN = Path("runs/factors")


def factors(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the run lives: puzzles, checkpoint, trained weights.")
    ] = RUN,
    minutes: Annotated[
        float, typer.Option(metavar="N", min=0, help="Wall clock of the training itself, all runs together.")
    ] = 60.0,
    message: Annotated[int, typer.Option(metavar="N", min=1, help="Width of what factors say.")] = 32,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="Puzzles that run together.")] = 24,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=options.MOST_THREADS, help="CPU threads.")] = 1,
    seed: Annotated[int, options.seed("Same seed, same puzzles and same first weights.")] = 0,
    debug: options.Debug = False,
) -> None:
    """Train the network that hears sums, products, comparisons, counts and lines; a stopped run goes on where it was.

    Begins with the weights of the relational denoiser that ship. Generates its puzzles first (kept in
    FOLDER/puzzles.jsonl, each proven to have one solution), then trains for --minutes and writes
    FOLDER/model.safetensors and FOLDER/config.json. Stop it with Ctrl-C and start it again at will.

    Examples:

      dgsolve train factors runs/factors

      dgsolve grid puzzle.toml --denoiser runs/factors
    """
    import torch
    from rich.console import Console

    from dgsolve.train.factor_settings import FactorSettings

    torch.set_num_threads(threads)
    settings = FactorSettings(factor_message=message, batch=batch, seconds=60 * minutes, seed=seed)
    run_factors(folder, settings, console=Console(stderr=True))


def run_factors(folder: Path, settings: FactorSettings, *, console: Console) -> None:
    """Generate, train, export; raises UsageError where `folder` holds a run of another width."""
    from dgsolve.denoisers.relational import RelationalDenoiser
    from dgsolve.train.factors import FactorTraining

    checkpoint = folder / "checkpoint.pt"
    if checkpoint.exists():
        state = FactorTraining.load(checkpoint)
    else:
        network = RelationalDenoiser.load().network
        state = FactorTraining.create(replace(settings, hidden=network.hidden, message=network.message), network)
    if state.settings.factor_message != settings.factor_message:
        raise UsageError(
            f"{folder} holds a run with --message {state.settings.factor_message}",
            hint="Give this width, or another folder.",
        )
    state.settings = replace(state.settings, seconds=settings.seconds, batch=settings.batch)
    lane = _lane(folder / "puzzles.jsonl", state.settings, state.step, console)
    _train(checkpoint, state, lane, console)
    state.export(folder)
    console.print(f"Weights after {state.step:,} steps: {folder / WEIGHTS_FILE}")


def _lane(path: Path, settings: FactorSettings, step: int, console: Console) -> GridLane:
    import torch
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from dgsolve.train.grid_lane import GridLane, Study
    from dgsolve.train.grid_pool import COUNTS, prepare

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console) as bar:
        tasks = {family: bar.add_task(f"puzzles: {family}", total=count) for family, count in COUNTS.items()}
        puzzles = prepare(
            path, seed=settings.seed, progress=lambda family, count: bar.update(tasks[family], completed=count)
        )
        reading = bar.add_task("reading them", total=len(puzzles))
        studies = []
        for puzzle in puzzles:
            studies.append(Study(puzzle))
            bar.advance(reading)
    return GridLane(studies, settings, torch.Generator().manual_seed(settings.seed + step))


def _train(checkpoint: Path, state: FactorTraining, lane: GridLane, console: Console) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from dgsolve.train.factors import train as run
    from dgsolve.train.run_loop import Report

    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=state.settings.seconds, completed=int(state.elapsed))

        def report(numbers: Report) -> None:
            words = f"step {numbers['step']:,.0f} · loss {numbers['loss']:.3f} · solved {numbers['solved']:.1%}"
            bar.update(task, completed=numbers["elapsed"], description=words)
            if not console.is_terminal:
                console.print(f"{numbers['elapsed']:.0f} s · {words}")

        run(state, lane, checkpoint=checkpoint, on_report=report)
