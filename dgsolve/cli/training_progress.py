"""A training run of a DiffusionGemma under a progress bar; where stderr is no terminal, a line for each report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.diffusion_gemma import Run
    from dgsolve.train.run_loop import Report
    from dgsolve.train.solve_rate import HeldOut
    from dgsolve.train.text_pairs import PairTokens


def make_room(folder: Path, result: str) -> None:
    """Make the folder of a run; raises UsageError where what it ends in, a folder too, cannot stand there."""
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / result).exists() and not (folder / result).is_dir():
        hint = "Move it away, or name another folder."
        raise UsageError(f"{folder / result} is a file, and {result} of this run is a folder", hint=hint)


def train_in_sight(state: Run, data: list[PairTokens], tests: HeldOut, folder: Path, console: Console) -> None:
    """Train to the end of the run, and tell how it goes and what of `tests` is answered rightly."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from dgsolve.train.diffusion_gemma import train

    settings = state.settings
    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=1.0)

        def report(numbers: Report) -> None:
            words = _words(numbers) + tests.words(state, data[0].tokenizer, numbers["elapsed"])
            bar.update(task, completed=settings.progress(state.step, state.elapsed), description=words)
            if not console.is_terminal:
                console.print(f"{numbers['elapsed']:.0f} s · {words}", highlight=False, soft_wrap=True)

        train(state, data, folder, on_report=report)


def _words(numbers: Report) -> str:
    losses = f"loss {numbers['loss']:.3f} + {numbers['encoder']:.3f}"
    return f"step {numbers['step']:,.0f} · {losses} · canvases solved {numbers['solved']:.1%}"
