"""What a DiffusionGemma needs of a device's memory, whole and in 8 and 4 bits, by its configuration alone.

    python benchmarks/model_memory.py                                    the figures of google/diffusiongemma-26B-A4B-it
    python benchmarks/model_memory.py FOLDER --tokens 32768 --rows 4     of any other, for 4 rows of so many tokens

Weights are counted as `load` counts them before it reads any. Each row has keys and values of its prompt and finished
blocks, the newest `sliding_window` of them alone in layers with a window; and float32 logits of one block, thrice: the
loop holds those of the step and two of their size beside them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from dgsolve.denoisers.quantized_weights import quantized_bytes
from dgsolve.quiet_transformers import quiet_transformers

PUBLISHED = Path(__file__).with_name("diffusiongemma-26B-A4B.json")
DEVICES = (18, 24, 80)  # GB
LOGITS = 3  # tensors of their size at once
CACHED = 2  # bytes of a number among keys and values


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


def main() -> None:
    from transformers import DiffusionGemmaConfig

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="?", type=Path, default=PUBLISHED, metavar="FOLDER", help="or its config.json")
    parser.add_argument("--tokens", type=int, default=2048, metavar="N", help="of prompt and finished blocks (2048)")
    parser.add_argument("--rows", type=int, default=1, metavar="N", help="of a batch (1)")
    asked = parser.parse_args()
    file = asked.config / "config.json" if asked.config.is_dir() else asked.config
    print(table(DiffusionGemmaConfig(**json.loads(file.read_text("utf-8"))), asked.tokens, asked.rows))


if __name__ == "__main__":
    main()
