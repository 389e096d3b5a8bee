"""Training of a LoRA adapter of a given DiffusionGemma; its own weights, routers and experts stay as they are.

Encoder and decoder share their weights and are adapted apart: the layers of each get their own low-rank matrices.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from dgsolve.denoisers import model_loading
from dgsolve.errors import ModelUnavailableError
from dgsolve.language.vocabulary import from_tokenizer
from dgsolve.quiet_transformers import quiet_transformers
from dgsolve.train import checkpoint
from dgsolve.train.denoising_loss import Noise
from dgsolve.train.run_loop import Report
from dgsolve.train.schedule import Schedule

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion, PreTrainedTokenizerBase

FIRST = 64  # tokens
LAYERS = r".*\.(decoder|language_model)\.layers\.\d+\.(self_attn\.[qkvo]_proj|mlp\.(gate|up|down)_proj)"


@dataclass(frozen=True, kw_only=True)
class LoraSettings(Schedule):
    """A checkpoint carries it; batch, rate and steps as published for the full model."""

    batch: int = 8
    learning_rate: float = 1e-4
    steps: int = 1_000
    seconds: float = float("inf")
    whole_share: float = 1.0
    cut_share: float = 0.0
    rank: int = 16
    alpha: int = 32


@dataclass
class LoraState:
    """The base with its adapter, and where the run is."""

    settings: LoraSettings
    wrapped: Any  # peft's
    base: str  # its fingerprint
    optimizers: Sequence[torch.optim.Optimizer]
    step: int = 0
    elapsed: float = 0.0
    log: list[Report] = field(default_factory=list)

    @classmethod
    def create(cls, base: DiffusionGemmaForBlockDiffusion, settings: LoraSettings) -> LoraState:
        """A fresh adapter, which changes nothing yet. Raises ModelUnavailableError where peft is missing."""
        try:
            with quiet_transformers():
                from peft import LoraConfig, get_peft_model
        except ImportError as error:
            raise ModelUnavailableError("adapters need the package peft", hint="Do: pip install peft") from error
        torch.manual_seed(settings.seed)
        config = LoraConfig(r=settings.rank, lora_alpha=settings.alpha, target_modules=LAYERS)
        made_of = fingerprint(base)
        with quiet_transformers():
            wrapped: Any = get_peft_model(base, config)
        learnt = [weight for weight in wrapped.parameters() if weight.requires_grad]
        return cls(settings, wrapped, made_of, [torch.optim.AdamW(learnt, settings.learning_rate, weight_decay=0.0)])

    @property
    def model(self) -> DiffusionGemmaForBlockDiffusion:
        model: DiffusionGemmaForBlockDiffusion = self.wrapped.base_model.model
        return model

    @property
    def answering(self) -> DiffusionGemmaForBlockDiffusion:
        return self.model

    def set_rates(self, factor: float) -> None:
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = factor * self.settings.learning_rate

    def count_step(self, elapsed: float) -> None:
        self.step, self.elapsed = self.step + 1, elapsed

    def export(self, folder: Path) -> None:
        """Write the adapter as peft does: adapter_config.json and adapter_model.safetensors."""
        with quiet_transformers():
            self.wrapped.save_pretrained(folder, save_embedding_layers=False)

    def save(self, path: Path) -> None:
        """Write the checkpoint, without the base; an interrupted write leaves the old one whole."""
        from peft import get_peft_model_state_dict

        adapter = get_peft_model_state_dict(self.wrapped, save_embedding_layers=False)  # else it asks the Hub
        checkpoint.write(path, self, base=self.base, adapter=adapter)

    @classmethod
    def load(cls, path: Path, base: DiffusionGemmaForBlockDiffusion) -> LoraState:
        """Read a checkpoint; raises ModelUnavailableError for a file that is none, or one of another base."""
        from peft import set_peft_model_state_dict

        with checkpoint.reading(path, "an adapter of this model") as saved:
            settings = saved["settings"] | {"noise": Noise(**saved["settings"]["noise"])}
            state = cls.create(base, LoraSettings(**settings))
            if saved["base"] != state.base:
                message = f"{path} is of an adapter of another base"
                raise ModelUnavailableError(message, hint="Name its base, or another folder.")
            set_peft_model_state_dict(state.wrapped, saved["adapter"])
            checkpoint.resume(state, saved)
        return state


def fingerprint(base: DiffusionGemmaForBlockDiffusion) -> str:
    """What tells one base from another: sha256, in hexadecimal, of its first embeddings and its decoder's norms."""
    decoder: Any = base.model.decoder
    some = [decoder.embed_tokens.weight[:FIRST], *(weight for weight in decoder.parameters() if weight.ndim == 1)]
    digest = hashlib.sha256()
    for weight in some:
        digest.update(weight.detach().float().cpu().numpy().tobytes())
    return digest.hexdigest()


def load_base(place: str, device: str) -> tuple[DiffusionGemmaForBlockDiffusion, PreTrainedTokenizerBase, int]:
    """A DiffusionGemma, its tokenizer, and the token that ends its turns; errors as those of `model_loading.load`."""
    from transformers import DiffusionGemmaForBlockDiffusion

    placement = model_loading.Placement(device)
    loaded: Any = model_loading.load(DiffusionGemmaForBlockDiffusion, place, placement, lambda _: None)
    model, tokenizer, _ = loaded
    model.name_or_path = place  # peft writes it beside the adapter: a name that ships, not where it lies here
    if model.device.type == "cpu":
        model.set_experts_implementation("eager")  # grouped products make a step of the small model a fifth slower
    text = from_tokenizer(tokenizer, model.lm_head.weight.shape[0], model_loading.end_ids(model))
    return model, tokenizer, text.turn_end
