"""The puzzles that the relational denoiser learns from, generated once and kept in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dgsolve.train.sudoku_puzzles import Pool, make_pool, read_pool


@dataclass(frozen=True)
class PoolPlan:
    """One pool: `share` of the training steps, and how many thinned and hardened puzzles of which shape.

    blanks: the range of blank fractions of thinned puzzles; (1, 1) makes them minimal.
    """

    share: float
    box_rows: int
    box_cols: int
    minimal: int
    hard: int = 0
    blanks: tuple[float, float] = (1.0, 1.0)

    @property
    def name(self) -> str:
        return f"{self.box_rows}x{self.box_cols}"


PLANS = (
    PoolPlan(0.82, 3, 3, minimal=20_000, hard=12_000),
    PoolPlan(0.06, 2, 4, minimal=3_000),
    PoolPlan(0.06, 3, 4, minimal=2_000, blanks=(0.55, 0.62)),
    PoolPlan(0.04, 2, 3, minimal=3_000),
    PoolPlan(0.02, 2, 2, minimal=500),
)


def prepare(
    folder: Path, plan: PoolPlan, *, seed: int, threads: int, progress: Callable[[int, int], None] | None = None
) -> Pool:
    """The plan's pool: read from `folder` where it is whole, else generated and written there.

    `progress` gets (puzzles done, puzzles wanted). A pool that an interruption left short is
    finished; one of another plan or seed that is short is made anew.
    """
    path = folder / f"{plan.name}.npz"
    if path.exists():
        pool = read_pool(path)
        if len(pool.puzzles) >= plan.minimal + plan.hard:
            return pool
    folder.mkdir(parents=True, exist_ok=True)
    return make_pool(
        path,
        minimal=plan.minimal,
        hard=plan.hard,
        box_rows=plan.box_rows,
        box_cols=plan.box_cols,
        seed=seed,
        blanks=plan.blanks,
        threads=threads,
        progress=progress,
    )
