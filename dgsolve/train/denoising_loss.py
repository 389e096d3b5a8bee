"""What DiffusionGemma learns from: one noised canvas per example, and the next token of its causal encoder.

As published for fine-tuning (NeMo AutoModel's guide): noise t ~ U(eps, 1), every slot replaced with chance t by a
token drawn evenly from the vocabulary, self-conditioning half of the time, cross-entropy of the canvas plus that of the
encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.train.text_pairs import CanvasBatch

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion


@dataclass(frozen=True)
class Noise:
    """How canvases are corrupted, and how the slots count in the loss."""

    least: float = 1e-3  # eps of t ~ U(eps, 1)
    power: float = 1.0  # below 1, t = eps + (1 - eps) u^power with u ~ U(0, 1): more of the canvases are mostly noise
    self_conditioning: float = 0.5  # chance that the model sees what it said before
    coldest: float = 0.4  # what it said before is sharpened by a temperature from here to 1, as the sampler does
    answer_noise: float = 0.15  # chance that noise is as in a constrained canvas: tokens of answers, none after them
    locked: float = 0.25  # chance that a canvas holds what the prompt gives of its grid, and its end, as a locked one
    encoder_weight: float = 1.0  # of the encoder's next-token loss; at 0 the encoder reads the prompt alone
    pad_weight: float = 0.1  # of the slots after the end of turn: many, and soon learnt


@dataclass(frozen=True)
class Losses:
    canvas: Tensor  # a number, with gradient
    encoder: Tensor
    solved: float  # the share of canvases whose likeliest text is right in every slot


def corrupt(batch: CanvasBatch, vocabulary: int, noise: Noise, generator: torch.Generator) -> Tensor:
    """Int [B, L]: the canvases, each slot replaced with its canvas's chance t by a random token."""
    canvas = batch.canvas
    share = noise.least + (1 - noise.least) * torch.rand(len(canvas), 1, generator=generator) ** noise.power
    random = torch.randint(vocabulary, canvas.shape, generator=generator)
    replaced = torch.rand(canvas.shape, generator=generator) < share
    if float(torch.rand((), generator=generator)) < noise.answer_noise:
        inside = batch.text & F.pad(batch.text[:, 1:], (0, 1))  # not the end of the turn
        alphabet = canvas[inside].unique()
        if len(alphabet):  # else every canvas has the end of its turn alone
            random = alphabet[torch.randint(len(alphabet), canvas.shape, generator=generator)]
            replaced &= inside
    locked = torch.rand(len(canvas), 1, generator=generator) < noise.locked
    return torch.where(replaced & ~(locked & batch.given), random, canvas)


class EncodedContext:
    """What the causal encoder keeps of the context, for the decoder to read at the positions after it."""

    def __init__(self, model: DiffusionGemmaForBlockDiffusion, batch: CanvasBatch, read_answer: bool) -> None:
        from transformers import DynamicCache

        self.model, self.batch = model, batch
        self.length = batch.context.shape[1]
        answer = int(batch.text.sum(1).max()) if read_answer else 1
        tokens = torch.cat([batch.context, batch.canvas[:, : answer - 1]], 1)
        padded = not bool(batch.known.all())
        seen = F.pad(batch.known, (0, answer - 1), value=True) if padded else None
        self.cache: Any = DynamicCache()  # without the configuration, for it to keep what is outside the sliding window
        hidden = model.model.encoder(input_ids=tokens, attention_mask=seen, cache=self.cache).last_hidden_state
        self.hidden = hidden[:, self.length - 1 :]  # [B, answer, H]
        self.masks = self._crop(padded)

    def _crop(self, padded: bool) -> dict[str, Tensor | None]:
        """Leave the cache what it holds when the model answers; returns masks Bool [B, 1, L, keys + L]."""
        config: Any = self.model.config.text_config
        masks: dict[str, Tensor | None] = {}
        slots = self.batch.canvas.shape[1]
        for kind, layer in zip(config.layer_types, self.cache.layers, strict=True):
            first = max(0, self.length - config.sliding_window + 1) if kind == "sliding_attention" else 0
            layer.keys = layer.keys[:, :, first : self.length]
            layer.values = layer.values[:, :, first : self.length]
            seen = F.pad(self.batch.known[:, first:], (0, slots), value=True)
            masks[kind] = seen[:, None, None].expand(-1, 1, slots, -1) if padded else None
        return masks

    def decode(self, canvas: Tensor, said: Tensor | None = None) -> Tensor:
        """Float [B, L, V]: the logits of one pass over a canvas; `said`: the logits of the pass before."""
        positions = torch.arange(self.length, self.length + canvas.shape[1], device=canvas.device)[None]
        output = self.model(
            cache=self.cache,
            decoder_input_ids=canvas,
            self_conditioning_logits=said,
            decoder_attention_mask=self.masks,
            decoder_position_ids=positions,
        )
        return output.logits


def denoising_losses(
    model: DiffusionGemmaForBlockDiffusion, batch: CanvasBatch, noise: Noise, generator: torch.Generator
) -> Losses:
    """The two losses of one batch, in nats per token."""
    noisy = corrupt(batch, model.lm_head.out_features, noise, generator)
    batch, noisy = batch.to(model.device), noisy.to(model.device)
    encoded = EncodedContext(model, batch, noise.encoder_weight > 0)
    chance, heat = torch.rand(2, generator=generator).tolist()
    said = None
    if chance < noise.self_conditioning:
        with torch.no_grad():
            said = encoded.decode(noisy) / (noise.coldest + (1 - noise.coldest) * heat)
    logits = encoded.decode(noisy, said)
    weights = torch.where(batch.text, 1.0, noise.pad_weight)
    right = (logits.argmax(-1) == batch.canvas) | ~batch.text
    encoder = torch.zeros((), device=model.device)
    if noise.encoder_weight > 0:
        answer = encoded.hidden.shape[1]
        following = _capped(model, encoded.hidden)
        encoder = _cross_entropy(following, batch.canvas[:, :answer], batch.text[:, :answer].float())
    return Losses(_cross_entropy(logits, batch.canvas, weights), encoder, right.all(1).float().mean().item())


def _capped(model: DiffusionGemmaForBlockDiffusion, hidden: Tensor) -> Tensor:
    """Logits [B, L, V] of the encoder's states, capped as the decoder's are."""
    cap = model.final_logit_softcapping
    return torch.tanh(model.lm_head(hidden).float() / cap) * cap


def _cross_entropy(logits: Tensor, tokens: Tensor, weights: Tensor) -> Tensor:
    """The mean over the slots by their weights."""
    each = F.cross_entropy(logits.flatten(0, 1), tokens.flatten(), reduction="none")
    return (each * weights.flatten()).sum() / weights.sum()
