"""How many held-out prompts a DiffusionGemma answers rightly, by Transformers' own generate(), without constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.train.diffusion_gemma import Run
from dgsolve.train.pair_files import HELD_OUT, PairFiles
from dgsolve.train.sudoku_texts import solved
from dgsolve.train.text_pairs import TextPair

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion, PreTrainedTokenizerBase


@dataclass(frozen=True)
class SolveRate:
    solved: int
    asked: int
    steps: float  # denoising steps, the mean over the prompts
    texts: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.solved / self.asked


def solve_rate(
    model: DiffusionGemmaForBlockDiffusion,
    tokenizer: PreTrainedTokenizerBase,
    pairs: Sequence[TextPair],
    *,
    batch: int = 64,
    seed: int = 0,
    max_denoising_steps: int = 48,
) -> SolveRate:
    """Answer each prompt with as many canvases as the longest of the expected answers takes."""
    texts: list[str] = []
    steps = 0.0
    training, canvas = model.training, int(model.config.canvas_length or 256)
    longest = max(len(ids) for ids in tokenizer([pair.answer for pair in pairs], add_special_tokens=False)["input_ids"])
    room = canvas * -(-(longest + 1) // canvas)  # with the end of the turn, in whole canvases
    model.eval()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for start in range(0, len(pairs), batch):
            prompts, known = _padded([chat.encode(tokenizer, pair.prompt) for pair in pairs[start : start + batch]])
            answer = model.generate(
                prompts.to(model.device),
                attention_mask=known.to(model.device),
                max_new_tokens=room,
                max_denoising_steps=max_denoising_steps,
            )
            written = answer.sequences[:, prompts.shape[1] :]
            steps += float(((written != tokenizer.pad_token_id).sum(1) / answer.tokens_per_forward).sum())
            texts += tokenizer.batch_decode(written, skip_special_tokens=True)
    model.train(training)
    right = sum(solved(pair, text) for pair, text in zip(pairs, texts, strict=True))
    return SolveRate(right, len(pairs), steps / len(pairs), tuple(texts))


def _padded(prompts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Int [B, P] with zeros on the left, and Int [B, P], 1 where a token stands."""
    widest = max(map(len, prompts))
    rows = [[0] * (widest - len(prompt)) + list(prompt) for prompt in prompts]
    known = torch.arange(widest) >= widest - torch.tensor([len(prompt) for prompt in prompts])[:, None]
    return torch.tensor(rows), known.long()


@dataclass
class HeldOut:
    """Prompts that are never trained on, and when they were last answered."""

    pairs: dict[str, list[TextPair]]
    every: float = 300.0  # seconds of the run
    asked_at: float = 0.0

    @classmethod
    def of(cls, files: PairFiles, count: int = 32) -> HeldOut:
        """The first `count` pairs that each of the files keeps for testing, by the file's name."""
        return cls({path.stem.removesuffix(HELD_OUT): pairs[:count] for path, pairs in files.held_out.items()})

    def words(self, state: Run, tokenizer: PreTrainedTokenizerBase, elapsed: float) -> str:
        """What the run's model answers, for each file, where it is time to ask again or the run is over."""
        over = state.settings.progress(state.step, elapsed) >= 1
        if not over and elapsed - self.asked_at < self.every:
            return ""
        self.asked_at = elapsed
        return "".join(
            f" · {name} {rate.solved} of {rate.asked}"
            for name, pairs in self.pairs.items()
            for rate in (solve_rate(state.answering, tokenizer, pairs),)
        )
