"""Uniform logits: shows what the rules alone give, and tests the loop without weights."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.denoisers.base import Denoiser, IndexVocabulary, RowState
from dgsolve.problem import Problem, Vocabulary


@dataclass(frozen=True)
class RandomState(RowState):
    """Nothing but the vocabulary's size."""

    size: int


class RandomDenoiser(Denoiser):
    """Every value of every slot is as likely as any other."""

    name = "random"

    def vocabulary(self, problem: Problem) -> Vocabulary:
        graph = problem.factor_graph()
        return IndexVocabulary(graph.values if graph else 256)

    def start(self, problem: Problem, canvas: Canvas) -> RandomState:
        return RandomState(self.vocabulary(problem).size)

    def denoise(self, tokens: Tensor, state: RandomState) -> tuple[Tensor, RandomState]:
        return torch.zeros(*tokens.shape, state.size, device=tokens.device), state
