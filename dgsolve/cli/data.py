"""`dgsolve data`: write what language models are trained and tested on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dgsolve.cli import options
from dgsolve.errors import ModelUnavailableError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

FOLDER = Path("runs/data")
SIZES = (4, 6, 9)

data = typer.Typer(
    help="Write the data that language models are trained on.", no_args_is_help=True, rich_markup_mode=None
)


@data.callback()
def _group() -> None:
    """Write the data that language models are trained on."""


@data.command()
def sudoku(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go.")] = FOLDER,
    size: Annotated[list[int] | None, typer.Option(metavar="N", help="4, 6 or 9; may be given again.")] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Puzzles to train on, for each size.")] = 100_000,
    test_count: Annotated[int, typer.Option(metavar="N", min=1, help="Puzzles to test on, for each size.")] = 1_000,
    seed: Annotated[int, options.seed("Same seed, same puzzles.")] = 0,
    debug: options.Debug = False,
) -> None:
    """Write Sudokus as text: one JSON object a line, with the prompt in words and the solution as a line of digits.

    Every puzzle has exactly one solution. A tenth of all solution grids (a quarter of the 4x4 ones) is held out: it is
    in sudoku_81char_held_out.jsonl alone, never in sudoku_81char.jsonl (16char and 36char for 4x4 and 6x6).

    Examples:

      dgsolve data sudoku runs/data

      dgsolve data sudoku runs/data --size 4 --size 6 --count 200000
    """
    from rich.console import Console

    sizes = size or list(SIZES)
    for wanted in sizes:
        if wanted not in SIZES:
            raise UsageError(f"--size {wanted} cannot be written as digits here", hint="Give 4, 6 or 9.")
    console = Console(stderr=True)
    for wanted in dict.fromkeys(sizes):
        for test, puzzles in ((False, count), (True, test_count)):
            path = write(folder, wanted, puzzles, seed=seed, test=test, console=console)
            console.print(f"{puzzles:,} puzzles: {path}", highlight=False, soft_wrap=True)


def write(folder: Path, size: int, count: int, *, seed: int, test: bool, console: Console) -> Path:
    """Write one file under a progress bar; returns its path. Raises ModelUnavailableError where numba is missing."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ModelUnavailableError(
            "making puzzles needs numba", hint="In a checkout: pip install -c constraints.txt '.[train]'"
        ) from error
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dgsolve.train.sudoku_texts import file_name, write_sudokus

    path = folder / file_name(size, test=test)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(path.name, total=count)
        write_sudokus(path, size, count, seed=seed, test=test, progress=lambda done: bar.update(task, completed=done))
    return path
