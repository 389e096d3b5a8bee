"""What a DiffusionGemma needs of a device's memory, whole and in 8 and 4 bits, by its configuration alone.

    python benchmarks/model_memory.py                                    the figures of google/diffusiongemma-26B-A4B-it
    python benchmarks/model_memory.py FOLDER --tokens 32768 --rows 4     of any other, for 4 rows of so many tokens
    python benchmarks/model_memory.py --lora 16                          and to train an adapter of it, rank 16

Weights are counted as `load` counts them before it reads any. Each row has keys and values of its prompt and finished
blocks, the newest `sliding_window` of them alone in layers with a window; and float32 logits of one block, thrice: the
loop holds those of the step and two of their size beside them.

To train an adapter: its numbers with gradient and AdamW's two, float32 each; float32 logits of the batch with their
soft cap, softmax and gradient. What the layers keep for the backward pass is not in it. The time: of every weight that
a token passes 2 operations forwards and 2 backwards (frozen weights have no gradient of their own); the encoder reads
prompt and block, the decoder passes the block once, and half of the time once more without gradient.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import torch

from dgsolve.denoisers.quantized_weights import quantized_bytes
from dgsolve.quiet_transformers import quiet_transformers
from dgsolve.train.lora import LAYERS

PUBLISHED = Path(__file__).with_name("diffusiongemma-26B-A4B.json")
DEVICES = (18, 24, 80)  # GB
LOGITS = 3  # tensors of their size at once
CACHED = 2  # bytes of a number among keys and values
TRAINING_LOGITS = 4
PROMPT = 256  # tokens of a prompt that is learnt, at most
PEAK = 989e12  # operations a second of an H100 in bfloat16, by its data sheet
UTILISATION = 0.3  # the share of them that is taken to be reached; nobody measured it


def without_weights(config: Any) -> Any:
    """The model on the meta device."""
    from transformers import DiffusionGemmaForBlockDiffusion

    with torch.device("meta"), quiet_transformers():
        return DiffusionGemmaForBlockDiffusion._from_config(config, dtype=torch.bfloat16)


def row_bytes(config: Any, tokens: int) -> int:
    """Of a row that has read so many tokens: its keys and values, and the logits of its block."""
    text = config.text_config
    cached = 0
    for number, kind in enumerate(text.layer_types):
        layer = text.per_layer_config[number]
        kept = min(tokens, text.sliding_window - 1) if kind == "sliding_attention" else tokens
        cached += 2 * kept * layer.num_key_value_heads * layer.head_dim * CACHED
    return cached + LOGITS * config.canvas_length * text.vocab_size * 4


def table(config: Any, tokens: int, rows: int) -> str:
    """Markdown: weights, the part of them that stays whole, all with the rows, and which devices hold it."""
    model, beside = without_weights(config), rows * row_bytes(config, tokens)
    lines = [
        f"| weights | GB | of it whole | with {rows} x {tokens:,} tokens | fits in |",
        "|---|---|---|---|---|",
    ]
    for name, bits in (("bfloat16", None), ("8bit", 8), ("4bit", 4)):
        weights, whole = quantized_bytes(model, bits)
        total = weights + beside
        fits = ", ".join(f"{device} GB" for device in DEVICES if total < device * 1e9) or "none of them"
        lines.append(f"| {name} | {weights / 1e9:.1f} | {whole / 1e9:.1f} | {total / 1e9:.1f} | {fits} |")
    return "\n".join(lines)


def active_parameters(model: Any, text: Any) -> int:
    """Weights of layers and output head that one token passes: of the experts, those that it is sent to."""
    used = text.top_k_experts / text.num_experts
    layers = model.model.decoder.layers.parameters()
    of_layers = sum(weight.numel() * (used if weight.dim() == 3 else 1) for weight in layers)
    return round(of_layers + model.lm_head.weight.numel())


def lora_table(config: Any, rank: int, batch: int, tokens: int) -> str:
    """Markdown: what an adapter takes beside the weights, and how long a step of `batch` prompts takes."""
    model, text, block = without_weights(config), config.text_config, config.canvas_length
    layers = [layer for name, layer in model.named_modules() if re.fullmatch(LAYERS, name)]
    learnt = sum(rank * (layer.in_features + layer.out_features) for layer in layers)
    logits = TRAINING_LOGITS * batch * block * text.vocab_size * 4
    weights, _ = quantized_bytes(model, None)
    operations = active_parameters(model, text) * batch * (4 * (tokens + block) + (4 + 2 / 2) * block)
    seconds = operations / (PEAK * UTILISATION)
    adapter, whole = 16 * learnt, weights + 16 * learnt + logits
    gigabytes = " | ".join(f"{part / 1e9:.1f}" for part in (adapter, logits, whole))
    lines = [
        "| an adapter | numbers | with AdamW, GB | logits, GB | with the weights, GB | operations a step | seconds |",
        "|---|---|---|---|---|---|---|",
        f"| rank {rank}, {batch} x {tokens:,} tokens | {learnt / 1e6:.1f} M | {gigabytes} "
        f"| {operations:.1e} | {seconds:.2f} |",
    ]
    return "\n".join(lines)


def main() -> None:
    from transformers import DiffusionGemmaConfig

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="?", type=Path, default=PUBLISHED, metavar="FOLDER", help="or its config.json")
    parser.add_argument("--tokens", type=int, default=2048, metavar="N", help="of prompt and finished blocks (2048)")
    parser.add_argument("--rows", type=int, default=1, metavar="N", help="of a batch (1)")
    parser.add_argument("--lora", type=int, metavar="RANK", help="also what training an adapter takes")
    parser.add_argument("--batch", type=int, default=8, metavar="N", help="prompts in a step of its training (8)")
    asked = parser.parse_args()
    file = asked.config / "config.json" if asked.config.is_dir() else asked.config
    config = DiffusionGemmaConfig(**json.loads(file.read_text("utf-8")))
    print(table(config, asked.tokens, asked.rows))
    if asked.lora:
        print(f"\n{lora_table(config, asked.lora, asked.batch, min(asked.tokens, PROMPT))}")


if __name__ == "__main__":
    main()
