"""Running batches of training puzzles: what is drawn, and what is carried from step to step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.denoisers.relational_network import GraphTables, PackedGraph
from dgsolve.problems import sudoku_rules
from dgsolve.train.settings import TrainingSettings
from dgsolve.train.sudoku_puzzles import Pool


class PuzzlePool:
    """Puzzles of one shape, drawn by difficulty, with reveals."""

    def __init__(self, pool: Pool, settings: TrainingSettings) -> None:
        self.puzzles = torch.from_numpy(pool.puzzles).long()
        self.solutions = torch.from_numpy(pool.solutions).long() - 1
        self.by_difficulty = torch.from_numpy(np.argsort(-pool.guesses, kind="stable").copy())
        self.settings = settings

    def draw(self, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """(givens [count, L] with 0 for blank, solutions [count, L] from 0)."""
        chance = torch.rand(2, count, generator=generator)
        power = torch.where(chance[0] < self.settings.easy_share, 1.0, self.settings.hardness)
        rank = (chance[1] ** power * len(self.by_difficulty)).long()
        index = self.by_difficulty[rank]
        puzzles, solutions = self.puzzles[index], self.solutions[index]
        extra = torch.randint(1, 7, (count, 1), generator=generator)
        extra *= torch.rand(count, 1, generator=generator) < self.settings.reveal_share
        order = torch.rand(puzzles.shape, generator=generator).masked_fill(puzzles > 0, 2.0).argsort(1).argsort(1)
        return torch.where((puzzles == 0) & (order < extra), solutions + 1, puzzles), solutions


@dataclass
class Lane:
    """One shape's running batch: puzzles, their domains, and the state carried from step to step."""

    tables: GraphTables
    peers: Tensor  # Float [L, L]
    pool: PuzzlePool
    hidden: Tensor  # [B, L, K, H]
    belief: Tensor  # [B, L, K]
    allowed: Tensor  # Bool [B, L, K]
    givens: Tensor  # [B, L]
    solutions: Tensor  # [B, L]
    noise: Tensor  # [B] the share of open slots that are noise
    age: Tensor  # [B] denoising steps so far

    @classmethod
    def create(cls, pool: Pool, settings: TrainingSettings, generator: torch.Generator) -> Lane:
        """A batch of fresh puzzles from `pool`, of at most as many candidates in all as `settings.batch` 9x9 grids."""
        graph = sudoku_rules.factor_graph(pool.box_rows, pool.box_cols)
        slots, values = graph.slots, graph.values
        batch = min(settings.batch, max(1, settings.batch * 729 // (slots * values)))
        lane = cls(
            tables=GraphTables(graph),
            peers=torch.from_numpy(sudoku_rules.peers(pool.box_rows, pool.box_cols)).float(),
            pool=PuzzlePool(pool, settings),
            hidden=torch.zeros(batch, slots, values, settings.hidden),
            belief=torch.zeros(batch, slots, values),
            allowed=torch.zeros(batch, slots, values, dtype=torch.bool),
            givens=torch.zeros(batch, slots, dtype=torch.long),
            solutions=torch.zeros(batch, slots, dtype=torch.long),
            noise=torch.zeros(batch),
            age=torch.zeros(batch, dtype=torch.long),
        )
        lane.replace(torch.arange(batch), generator)
        lane.age = torch.randint(0, settings.segments, (batch,), generator=generator)
        return lane

    def replace(self, rows: Tensor, generator: torch.Generator) -> None:
        """New puzzles in `rows`, with fresh state."""
        settings, values = self.pool.settings, self.tables.values
        givens, solutions = self.pool.draw(len(rows), generator)
        locked = F.one_hot(givens, values + 1)[..., 1:].bool()  # [b, L, K]
        excluded = self.peers @ locked.float() > 0
        open_slots = (givens == 0)[..., None]
        unpropagated = torch.rand(len(rows), 1, 1, generator=generator) < settings.unpropagated_share
        allowed = locked | (open_slots & (~excluded | unpropagated))
        share = torch.rand(2, len(rows), generator=generator)
        self.givens[rows], self.solutions[rows], self.allowed[rows] = givens, solutions, allowed
        self.noise[rows] = torch.where(share[0] < settings.pure_noise_share, 1.0, share[1] ** 0.4)
        self.hidden[rows] = 0.0
        self.belief[rows] = allowed.float() / allowed.sum(-1, keepdim=True)
        self.age[rows] = 0

    def features(self, generator: torch.Generator) -> Tensor:
        """Float [B, L, K, 3] for a freshly corrupted canvas."""
        shape, values = self.givens.shape, self.tables.values
        corrupt = torch.rand(shape, generator=generator) < self.noise[:, None]
        random = torch.randint(0, values, shape, generator=generator)
        tokens = torch.where(corrupt & (self.givens == 0), random, self.solutions)
        locked = F.one_hot(self.givens, values + 1)[..., 1:].float()
        return torch.stack([F.one_hot(tokens, values).float(), self.belief, locked], -1)

    def advance(self, graph: PackedGraph, hidden: Tensor, dense: Tensor, generator: torch.Generator) -> float:
        """Carry hidden [N, H] and logits [B, L, K] on, replace solved and old puzzles; returns the share solved."""
        settings = self.pool.settings
        self.hidden.view(-1, hidden.shape[-1])[graph.nodes] = hidden.detach()
        self.belief = dense.detach().softmax(-1)
        self.age += 1
        solved = (dense.argmax(-1) == self.solutions).all(1)
        lucky = torch.rand(len(solved), generator=generator) < 0.5
        done = (self.age >= settings.segments) | (solved & lucky)
        self.replace(done.nonzero().squeeze(1), generator)
        return solved.float().mean().item()
