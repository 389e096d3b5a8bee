"""`dgsolve data`: write what language models are trained and tested on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dgsolve.cli import options
from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from dgsolve.train.text_pairs import TextPair

FOLDER = Path("runs/data")
SIZES = (4, 6, 9)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go.")]
Count = Annotated[int, typer.Option(metavar="N", min=1, help="Pairs to train on, in each file.")]
TestCount = Annotated[int, typer.Option(metavar="N", min=1, help="Pairs to test on, in each file.")]
Seed = Annotated[int, options.seed("Same seed, same pairs.")]

data = typer.Typer(
    help="Write the data that language models are trained on.", no_args_is_help=True, rich_markup_mode=None
)


@data.callback()
def _group() -> None:
    """Write the data that language models are trained on."""


@data.command()
def sudoku(
    folder: Folder = FOLDER,
    size: Annotated[list[int] | None, typer.Option(metavar="N", help="4, 6 or 9; may be given again.")] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Row by row instead of as one line.")] = False,
    count: Count = 100_000,
    test_count: TestCount = 1_000,
    seed: Seed = 0,
    debug: options.Debug = False,
) -> None:
    """Write Sudokus as text: one JSON object a line, with the prompt in words and the solution as a line of digits.

    Every puzzle has exactly one solution. A tenth of all solution grids (a quarter of the 4x4 ones) is held out: it is
    in sudoku_81char_held_out.jsonl alone, never in sudoku_81char.jsonl (16char and 36char for 4x4 and 6x6).
    With --lines the files are sudoku_9lines.jsonl and so on, for models that are asked with lines=True.

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
            write_sudokus(folder, wanted, puzzles, seed=seed, test=test, lines=lines, console=console)


@data.command()
def json(
    folder: Folder = FOLDER,
    count: Count = 100_000,
    test_count: TestCount = 1_000,
    seed: Seed = 0,
    debug: options.Debug = False,
) -> None:
    """Write sentences and the records they tell as JSON: persons, orders and events, all made up.

    json.jsonl is for training; json_held_out.jsonl has other values, in layouts that json.jsonl has none of.

    Example:

      dgsolve data json runs/data --count 50000
    """
    from rich.console import Console

    from dgsolve.train.json_texts import json_pairs

    for name, test, some in (("json", False, count), ("json_held_out", True, test_count)):
        pairs = json_pairs(some, seed=seed, test=test)
        _write(folder / f"{name}.jsonl", pairs, some, console=Console(stderr=True))


def write_sudokus(
    folder: Path, size: int, count: int, *, seed: int, test: bool, lines: bool = False, console: Console
) -> None:
    """Write one file under a progress bar."""
    from dgsolve.train.sudoku_texts import file_name, sudoku_pairs

    pairs = sudoku_pairs(size, count, seed=seed, test=test, lines=lines)
    _write(folder / file_name(size, test=test, lines=lines), pairs, count, console=console)


def _write(path: Path, pairs: Iterable[TextPair], count: int, *, console: Console) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dgsolve.train.text_pairs import write_pairs

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(path.name, total=count)
        write_pairs(path, pairs, lambda done: bar.update(task, completed=done))
    console.print(f"{count:,} pairs: {path}", highlight=False, soft_wrap=True)
