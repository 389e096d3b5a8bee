"""Transformers' own `generate`, step by step, on the random numbers of dgsolve's loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from dgsolve.randomness import Stream
from dgsolve.sampling.drafting import DRAW


@dataclass(frozen=True)
class Step:
    """One step of one row: what the model was fed, its most probable tokens, and what was accepted."""

    fed: tuple[int, ...]
    argmax: tuple[int, ...]
    accepted: tuple[bool, ...]


class Recorder:
    """Takes the place of the random numbers in `generate`; `steps` has each row's own steps, block after block."""

    def __init__(self, seed: int, rows: int, slots: int, block: int, size: int) -> None:
        zero = torch.zeros(1, dtype=torch.long)
        self.stream = Stream(torch.tensor([seed])).fork_rows(zero).fork_rows(zero)
        self.slots, self.block, self.size = slots, block, size
        self.steps: list[list[Step]] = [[] for _ in range(rows)]
        self.number = -1  # of the block
        self.out = [False] * rows  # whose texts have ended
        self.sequences = torch.empty(0)

    def noise(self, ages: Sequence[int]) -> Tensor:
        """The noise of this block in each row, Int [B, S]."""
        low = self.number * self.block
        rows = [self.stream.fork(age).integers(self.size, (self.slots,))[0, low : low + self.block] for age in ages]
        return torch.stack(rows)

    def begin(self) -> Tensor:
        """In place of EntropyBoundSampler.initialize_canvas: the first canvas of a block, or fresh noise for one."""
        return self.noise([len(steps) for steps in self.steps])

    def multinomial(self, probabilities: Tensor, num_samples: int) -> Tensor:
        """In place of torch.multinomial: the draw that dgsolve makes of the same probabilities."""
        drawn = []
        for row, part in enumerate(probabilities.view(len(self.steps), self.block, -1)):
            number = self.stream.fork(len(self.steps[row]) + DRAW).fine_uniform((self.block,))[0, :, None]
            ends = part.double().cumsum(-1)  # the token on which the number falls
            drawn.append((ends <= number * ends[:, -1:]).sum(-1).clamp(max=self.size - 1))
        return torch.stack(drawn).view(-1, 1)

    def denoising_step(self, original: Any, model: Any, **given: Any) -> Any:
        fed, finished, sampler = given["current_canvas"], given["finished_denoising"].tolist(), given["sampler"]
        renoise = sampler.renoise_canvas

        def renoised(accepted: Tensor, step: int) -> Tensor:
            mask = sampler.accepted_token_mask
            for row, out in enumerate(self.out):
                if not out and not finished[row]:
                    self.steps[row].append(Step(tuple(fed[row].tolist()), (), tuple(mask[row].tolist())))
            return renoise(accepted, step)

        with patch.object(sampler, "renoise_canvas", renoised):
            result = original(model, **given)
        for row, out in enumerate(self.out):
            if not out and not finished[row]:
                last = self.steps[row][-1]
                self.steps[row][-1] = Step(last.fed, tuple(result[1][row].tolist()), last.accepted)
        return result


def recorded(model: Any, ids: Tensor, mask: Tensor, seed: int, slots: int, **settings: Any) -> Recorder:
    """`model.generate` of prompts ids, Int [B, T], padded on the left by mask, Bool [B, T]; `slots` new tokens."""
    from transformers.models.diffusion_gemma import generation_diffusion_gemma as generation

    recorder = Recorder(seed, len(ids), slots, model.config.canvas_length, model.config.text_config.vocab_size)
    mixin, sampler = generation.DiffusionGemmaGenerationMixin, generation.EntropyBoundSampler
    step, inputs, finalize = mixin._denoising_step, mixin._prepare_denoiser_inputs, mixin._finalize_canvas

    def prepared(self: Any, **given: Any) -> Any:
        recorder.number += 1
        return inputs(self, **given)

    def finalized(**given: Any) -> Any:
        result = finalize(**given)
        recorder.out = result[1].tolist()
        return result

    with (
        patch.object(mixin, "_denoising_step", lambda self, **given: recorder.denoising_step(step, self, **given)),
        patch.object(mixin, "_prepare_denoiser_inputs", prepared),
        patch.object(mixin, "_finalize_canvas", staticmethod(finalized)),
        patch.object(sampler, "initialize_canvas", lambda self, batch_size, device: recorder.begin()),
        patch("torch.multinomial", recorder.multinomial),
        patch("torch.compiler.cudagraph_mark_step_begin", lambda: None),  # imports all of torch's compiler
    ):
        recorder.sequences = model.generate(ids, attention_mask=mask, max_new_tokens=slots, **settings).sequences
    return recorder
