"""A running batch of training grids, each of its own shape and rules, as one flat graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.denoisers.factor_messages import FactorTables, PackedFactors
from dgsolve.denoisers.factor_network import KINDS
from dgsolve.denoisers.relational_network import GraphTables, PackedGraph
from dgsolve.errors import UsageError
from dgsolve.train.factor_settings import FactorSettings
from dgsolve.train.grid_puzzles import GridPuzzle


class Study:
    """A puzzle as tensors. permitted: what its givens leave, narrowed: what propagation leaves of it, Bool [L, K]."""

    def __init__(self, puzzle: GridPuzzle) -> None:
        graph = puzzle.grid.factor_graph()
        if graph is None:
            raise UsageError(f"nothing can be learnt from {puzzle.grid.describe()}: its rules are unknown")
        self.family = puzzle.family
        self.tables, self.factors = GraphTables(graph), FactorTables(graph, KINDS)
        self.permitted = torch.from_numpy(puzzle.grid.permitted)
        self.narrowed = torch.from_numpy(puzzle.grid.narrowed(puzzle.grid.permitted))
        place = puzzle.grid.values.place
        self.solution = torch.tensor([place[number] for number in puzzle.solution])
        self.given = self.permitted.sum(1) == 1  # [L]
        self.undecided = bool((self.narrowed.sum(1) > 1).any())


@dataclass
class Seat:
    """One puzzle of the batch. allowed Bool [L, K]; whole Bool [C] with slack; hidden [C, H]; belief [L, K]."""

    study: Study
    allowed: Tensor
    whole: Tensor
    locked: Tensor
    hidden: Tensor
    belief: Tensor
    noise: float
    age: int = 0


class GridLane:
    """Puzzles that run together; one that is solved or old gives way to a new one."""

    def __init__(self, studies: Sequence[Study], settings: FactorSettings, generator: torch.Generator) -> None:
        self.settings, self.generator = settings, generator
        self.families: dict[str, list[Study]] = {}
        for study in studies:
            self.families.setdefault(study.family, []).append(study)
        self.seats = [self._seat() for _ in range(settings.batch)]
        for seat in self.seats:
            seat.age = int(torch.randint(settings.segments, (), generator=generator))

    def _chance(self) -> float:
        return float(torch.rand((), generator=self.generator))

    def _seat(self) -> Seat:
        family = list(self.families.values())[int(self._chance() * len(self.families))]
        if self._chance() < self.settings.undecided_share:
            family = [study for study in family if study.undecided] or family
        study = family[int(self._chance() * len(family))]
        allowed, locked = self._domains(study)
        belief = allowed.float() / allowed.sum(-1, keepdim=True)
        noise = 1.0 if self._chance() < self.settings.pure_noise_share else self._chance() ** 0.4
        hidden = torch.zeros(study.tables.candidates, self.settings.hidden)
        return Seat(study, allowed, _with_slack(study.tables, allowed), locked, hidden, belief, noise)

    def _domains(self, study: Study) -> tuple[Tensor, Tensor]:
        """Bool [L, K] and [L]: some more cells revealed now and then, and a share of what propagation excluded."""
        held = F.one_hot(study.solution, study.tables.values).bool()
        order = torch.rand(len(study.given), generator=self.generator).masked_fill(study.given, 2.0).argsort().argsort()
        extra = int(1 + 6 * self._chance()) if self._chance() < self.settings.reveal_share else 0
        locked = study.given | (order < min(extra, int((~study.given).sum()) // 2))
        back = torch.rand(study.permitted.shape, generator=self.generator) < self._chance() ** 2
        if study.undecided and self._chance() < self.settings.propagated_share:
            back = torch.zeros_like(back)
        allowed = study.narrowed | (study.permitted & back)
        return torch.where(locked[:, None], held, allowed), locked

    def graph(self) -> tuple[PackedGraph, PackedFactors]:
        """All puzzles as one graph, candidate after candidate, and its factors."""
        first = np.cumsum([0, *(seat.study.tables.candidates for seat in self.seats)])
        whole = torch.cat([seat.whole for seat in self.seats])
        null = sum(seat.study.tables.group_count for seat in self.seats)
        most = max(seat.study.tables.candidate_groups.shape[1] for seat in self.seats)
        rows, before = [], 0
        for seat in self.seats:
            local = seat.study.tables.candidate_groups
            rows.append(F.pad(torch.where(local < 0, null, local + before), (0, most - local.shape[1]), value=null))
            before += seat.study.tables.group_count
        nodes = whole.nonzero().flatten()
        graph = PackedGraph.of(nodes, torch.cat(rows)[nodes], null)
        return graph, PackedFactors([seat.study.factors for seat in self.seats], first[:-1].tolist(), whole, graph)

    def features(self) -> Tensor:
        """Float [sum of C, 3] for freshly corrupted canvases."""
        return torch.cat([self._features(seat) for seat in self.seats])

    def _features(self, seat: Seat) -> Tensor:
        tables, solution = seat.study.tables, seat.study.solution
        corrupt = torch.rand(solution.shape, generator=self.generator) < seat.noise
        random = torch.randint(tables.values, solution.shape, generator=self.generator)
        tokens = torch.where(corrupt & ~seat.locked, random, solution)
        holds = F.one_hot(tokens, tables.values).float()
        locked = F.pad((holds * seat.locked[:, None]).flatten(), (0, tables.slack))
        return torch.stack([tables.with_slack(holds[None])[0], tables.with_slack(seat.belief[None])[0], locked], -1)

    def hidden(self) -> Tensor:
        """Float [sum of C, H]."""
        return torch.cat([seat.hidden for seat in self.seats])

    def targets(self) -> Tensor:
        """Float [sum of C]: 1 over the number of its undecided slots for each right candidate of a puzzle, else 0."""
        return torch.cat([self._target(seat) for seat in self.seats])

    def _target(self, seat: Seat) -> Tensor:
        open_slots = (seat.allowed.sum(1) > 1)[:, None]
        right = F.one_hot(seat.study.solution, seat.study.tables.values) * open_slots
        return F.pad(right.flatten() / open_slots.sum().clamp(min=1), (0, seat.study.tables.slack))

    def advance(self, graph: PackedGraph, hidden: Tensor, shares: Tensor) -> float:
        """Carry hidden [N, H] and shares [N] on, replace solved and old puzzles; returns the share solved."""
        carried = self.hidden().index_copy(0, graph.nodes, hidden.detach())
        whole = torch.cat([seat.whole for seat in self.seats]).float()  # what is not a node is settled
        whole = whole.index_copy(0, graph.nodes, shares.detach().float())
        solved, first = 0, 0
        for number, seat in enumerate(self.seats):
            tables = seat.study.tables
            part = slice(first, first + tables.candidates)
            first += tables.candidates
            seat.hidden = carried[part]
            seat.belief = whole[part][: tables.slots * tables.values].view(tables.slots, tables.values)
            seat.age += 1
            right = bool((seat.belief.argmax(-1) == seat.study.solution).all())
            solved += right
            if seat.age >= self.settings.segments or (right and self._chance() < 0.5):
                self.seats[number] = self._seat()
        return solved / len(self.seats)


def _with_slack(tables: GraphTables, allowed: Tensor) -> Tensor:
    """Bool [C]: the candidates that are possible; a slack one is false where another of its group is sure."""
    alone = (allowed & (allowed.sum(-1, keepdim=True) == 1)).float()
    left = tables.with_slack(alone[None])[0, allowed.numel() :] > 0
    return torch.cat([allowed.flatten(), left])
