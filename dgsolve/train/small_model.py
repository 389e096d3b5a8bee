"""A DiffusionGemma of a few million parameters: the published one's classes, every layer routing to experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dgsolve.errors import UsageError
from dgsolve.train.small_tokenizer import BEGIN, END, END_OF_TURN, PAD, SIZE, SPECIAL

if TYPE_CHECKING:
    from transformers import DiffusionGemmaConfig, DiffusionGemmaForBlockDiffusion
    from transformers.models.diffusion_gemma.generation_diffusion_gemma import DiffusionGemmaGenerationConfig

HEAD = 32  # width of an attention head
ENDS = [SPECIAL.index(END), SPECIAL.index(END_OF_TURN)]


@dataclass(frozen=True)
class SmallModel:
    """The sizes of a small DiffusionGemma; every third layer attends without a window, as do all of its canvas."""

    hidden: int = 128
    layers: int = 6
    heads: int = 4
    key_value_heads: int = 4
    head_dim: int = HEAD
    intermediate: int = 256
    experts: int = 4
    experts_used: int = 2
    expert_width: int = 64
    canvas_length: int = 96
    sliding_window: int = 128
    context: int = 2048
    vocabulary: int = SIZE

    @classmethod
    def of_width(cls, hidden: int, layers: int) -> SmallModel:
        """Sizes in the default's proportions; raises UsageError for a width that is no multiple of 32."""
        if hidden % HEAD:
            raise UsageError(
                f"a width of {hidden} is no multiple of {HEAD}", hint=f"Try {hidden + HEAD - hidden % HEAD}."
            )
        heads = hidden // HEAD
        return cls(hidden, layers, heads, heads, HEAD, 2 * hidden, expert_width=hidden // 2)

    def config(self) -> DiffusionGemmaConfig:
        """The configuration; its vision tower is as small as one can be, since None would build the published one."""
        from transformers import DiffusionGemmaConfig, DiffusionGemmaTextConfig, Gemma4VisionConfig

        names = ("hidden_size", "intermediate_size", "head_dim")
        ones = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads")
        vision: dict[str, Any] = dict.fromkeys(names, 16) | dict.fromkeys(ones, 1) | {"position_embedding_size": 64}
        return DiffusionGemmaConfig(
            text_config=DiffusionGemmaTextConfig(**self._text()),
            vision_config=Gemma4VisionConfig(**vision),
            canvas_length=self.canvas_length,
            boi_token_id=SPECIAL.index("<|image>"),
            eoi_token_id=SPECIAL.index("<image|>"),
            image_token_id=SPECIAL.index("<|image|>"),
        )

    def _text(self) -> dict[str, Any]:
        kinds = ["full_attention" if layer % 3 == 2 else "sliding_attention" for layer in range(self.layers)]
        near = {"rope_type": "default", "rope_theta": 1_000.0}
        far = {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 1_000.0}
        return {
            "vocab_size": self.vocabulary,
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.key_value_heads,
            "head_dim": self.head_dim,
            "global_head_dim": self.head_dim,
            "layer_types": [*kinds[:-1], "full_attention"],
            "sliding_window": self.sliding_window,
            "max_position_embeddings": self.context,
            "num_experts": self.experts,
            "top_k_experts": self.experts_used,
            "moe_intermediate_size": self.expert_width,
            "eos_token_id": ENDS,
            "rope_parameters": {"sliding_attention": near, "full_attention": far},
        }

    def create(self, seed: int) -> DiffusionGemmaForBlockDiffusion:
        """The model with random weights, the same ones for the same seed."""
        import torch
        from transformers import DiffusionGemmaForBlockDiffusion

        torch.manual_seed(seed)
        model = DiffusionGemmaForBlockDiffusion(self.config())
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name.endswith(("q_norm.weight", "k_norm.weight")):
                    # DiffusionGemma does not divide its attention by sqrt(head_dim): it would start out peaked.
                    weight.fill_(weight.numel() ** -0.25)
        model.generation_config = self._generation()
        return model

    def _generation(self) -> DiffusionGemmaGenerationConfig:
        from transformers.models.diffusion_gemma.generation_diffusion_gemma import (
            DiffusionGemmaGenerationConfig,
            EntropyBoundSamplerConfig,
        )

        return DiffusionGemmaGenerationConfig(
            max_new_tokens=self.canvas_length,
            bos_token_id=SPECIAL.index(BEGIN),
            eos_token_id=ENDS,
            pad_token_id=SPECIAL.index(PAD),
            # Stricter than the published settings, whose mean over the canvas the padding makes easy to meet: of 48
            # minimal 6x6 Sudokus the model then solved 39 in 10.9 steps, and 36 in 8.7 by the published ones.
            sampler_config=EntropyBoundSamplerConfig(entropy_bound=0.02),
            stability_threshold=2,
            confidence_threshold=0.0005,
        )
