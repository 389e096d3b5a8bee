"""Uniform logits: shows what the rules alone give, and tests the loop without weights."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dgsolve.canvas import Canvas
from dgsolve.denoisers.base import Denoiser, IndexVocabulary, RowState
from dgsolve.language.byte_vocabulary import byte_vocabulary
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.problem import Problem, Vocabulary


@dataclass(frozen=True)
class RandomState(RowState):
    """Nothing but the vocabulary's size."""

    size: int


class RandomDenoiser(Denoiser):
    """Every value of every slot is as likely as any other.

    It writes texts with `text`, by default with one token for each byte, `canvas_slots` of them at a time.
    """

    name = "random"

    def __init__(self, text: TextVocabulary | None = None, canvas_slots: int | None = None) -> None:
        self.text, self.canvas_slots = text or byte_vocabulary(), canvas_slots

    def vocabulary(self, problem: Problem) -> Vocabulary:
        graph = problem.factor_graph()
        if graph is not None:
            return IndexVocabulary(graph.values)
        return getattr(problem, "vocabulary", IndexVocabulary(256))

    def start(self, problem: Problem, canvas: Canvas) -> RandomState:
        return RandomState(self.vocabulary(problem).size)

    def denoise(self, tokens: Tensor, state: RandomState) -> tuple[Tensor, RandomState]:
        rows, length = tokens.shape
        return torch.zeros(rows, min(length, self.canvas_slots or length), state.size, device=tokens.device), state
