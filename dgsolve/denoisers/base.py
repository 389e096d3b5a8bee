"""What a denoiser is, and how its run state is cut into rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.canvas import Canvas
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.problem import Problem, Vocabulary
from dgsolve.randomness import Stream
from dgsolve.sampling.drafting import Draft, Drafting, EntropyBoundDrafting
from dgsolve.sampling.settings import Sampling

S = TypeVar("S", bound="RowState")


@dataclass(frozen=True)
class RowState:
    """Run state: a dataclass whose tensors all start with the batch dimension B; its other fields are for all rows."""

    def rows(self: S, index: Tensor) -> S:
        """The state of the canvases at `index`, Int [b]."""
        return replace(self, **{name: tensor[index] for name, tensor in self._tensors()})

    def put(self: S, index: Tensor, other: S) -> S:
        """With the rows at `index`, Int [b], taken from `other`, a state of b rows."""
        theirs = dict(other._tensors())
        return replace(self, **{name: tensor.index_copy(0, index, theirs[name]) for name, tensor in self._tensors()})

    def append(self: S, other: S) -> S:
        """With the rows of `other` after these."""
        theirs = dict(other._tensors())
        return replace(self, **{name: torch.cat([tensor, theirs[name]]) for name, tensor in self._tensors()})

    def _tensors(self) -> list[tuple[str, Any]]:
        return [(f.name, value) for f in fields(self) if isinstance(value := getattr(self, f.name), Tensor)]


@dataclass(frozen=True)
class IndexVocabulary:
    """Tokens that simply count a slot's values."""

    size: int

    def tokens(self, symbols: Sequence[str]) -> list[int]:
        return list(range(len(symbols)))


class Denoiser(ABC):
    """A model that proposes a distribution for every slot at once. It holds weights and settings, never run state."""

    name: str
    weights: Path | None = None  # the file they were read from, where there is one
    drafting: Drafting = EntropyBoundDrafting()  # how its proposals become drafts
    sampling: Sampling = Sampling()  # its recommended settings
    text: TextVocabulary | None = None  # what it writes texts with, None where it writes none
    canvas_slots: int | None = None  # of a block; texts are a whole number of blocks. None: it reads any number

    @property
    def context(self) -> int | None:
        """Tokens of a prompt and its answer together, None where there is no limit."""
        return None

    @property
    def weight_files(self) -> dict[str, Path]:
        """Every file of weights that its answers depend on, by what the weights are called."""
        return {self.name: self.weights} if self.weights else {}

    def reads(self, problem: Problem) -> bool:
        """Whether it can propose anything for this problem."""
        return True

    @abstractmethod
    def vocabulary(self, problem: Problem) -> Vocabulary:
        """What it writes this problem's canvas with."""

    @abstractmethod
    def start(self, problem: Problem, canvas: Canvas) -> RowState:
        """Fresh run state for every row of `canvas`; raises UsageError for a problem it cannot read."""

    @abstractmethod
    def denoise(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        """One pass: tokens Int [B, L] -> logits Float [B, W, V] and the state after it.

        The logits are about the W slots that follow each row's settled ones; W is L unless the denoiser says otherwise.
        A denoiser with `canvas_slots` reads blocks of so many slots: W is `canvas_slots` where the canvas has more.
        Settled slots hold their final tokens in `tokens`, so what a block left behind (keys and values, say) can be
        computed when the next one begins.
        """

    def prompt_tokens(self, problem: Problem) -> int:
        """How many tokens the problem's prompt has for it."""
        return 0

    def require_room(self, problem: Problem, slots: int) -> None:
        """Raise UsageError where it has no room for the problem's prompt and an answer of so many slots."""
        chat.require_room(self.prompt_tokens(problem), slots, self.context)

    def require_numbers(self, logits: Tensor) -> None:
        """Raise ModelUnavailableError where a slot of Float [B, W, V] has none: nan of a hidden state reaches all."""
        if bool(logits[..., :1].isnan().any()):
            message = f"what {self.name} says of the canvas is not a number (nan)"
            hint = "Its weights are damaged, or too large for their dtype: load them again, or with another dtype=."
            raise ModelUnavailableError(message, hint=hint)

    def require_sight(self) -> None:
        """Raise UsageError where it reads text alone, and no images."""
        self.require_sight_of(self.name)

    @classmethod
    def require_sight_of(cls, place: str) -> None:
        """`require_sight` for the model in a folder, or of a name on the Hub, before it is loaded."""
        hint = "Leave the images out, or load a DiffusionGemma: google/diffusiongemma-26B-A4B-it."
        raise UsageError(f"{place} reads text alone, and the prompt shows images", hint=hint)

    def condition(self, state: Any, draft: Draft, on: str) -> Any:
        """The state told what was made of its pass, for denoisers with self-conditioning; `on` as in `Sampling`."""
        return state

    def settle(self, state: Any, settled: Tensor) -> Any:
        """The state told that the first `settled` slots of each canvas, Int [B], will not change any more.

        Where `settled` reaches the end of a block, the next pass is the first one over the block that follows.
        """
        return state

    def guess(self, tokens: Tensor, canvas: Canvas, state: Any) -> Tensor:
        """`tokens`, Int [B, L], with better guesses where this denoiser has some; they change its speed alone."""
        return tokens

    def noise(self, canvas: Canvas, vocabulary: Vocabulary, stream: Stream) -> Tensor:
        """Uniform tokens in the open slots, Int [B, L] (uniform-state diffusion); locked slots keep theirs."""
        noise = stream.integers(vocabulary.size, canvas.tokens.shape[1:])
        return canvas.tokens.where(canvas.locked, noise)
