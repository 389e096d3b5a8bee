"""What a canvas that can hold a few tokens saves: only their rows of head and embedding, against all of the vocabulary.

    python benchmarks/restricted_head.py                      81 slots, 9 symbols, 262,144 tokens, width 2,816
    python benchmarks/restricted_head.py --width 64 --tokens 512

Both ways do what a step does behind the decoder's last layer: logits with their cap, the posterior of slots that hold
one of the symbols, and the soft embeddings of it for the next step. Their answers are compared before they are timed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import torch
from torch import Tensor

CAP = 30.0  # what DiffusionGemma's logits are softly held within


def restricted(hidden: Tensor, weight: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Posterior, [L, K], and soft embeddings, [L, D], by the rows of `ids` alone."""
    rows = weight[ids]
    posterior = _capped(hidden @ rows.T).softmax(-1)
    return posterior, posterior @ rows


def whole(hidden: Tensor, weight: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """The same by all rows: what is not in `ids` is left out of the posterior afterwards."""
    logits = _capped(hidden @ weight.T)
    kept = torch.full_like(logits, -torch.inf).index_copy(1, ids, logits[:, ids]).softmax(-1)
    return kept[:, ids], kept @ weight


def _capped(logits: Tensor) -> Tensor:
    return logits.div_(CAP).tanh_().mul_(CAP)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=262_144)
    parser.add_argument("--width", type=int, default=2_816)
    parser.add_argument("--slots", type=int, default=81)
    parser.add_argument("--symbols", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(options.slots, options.width, generator=generator)
    weight = torch.randn(options.tokens, options.width, generator=generator) / options.width**0.5
    ids = torch.randperm(options.tokens, generator=generator)[: options.symbols]
    few, every = restricted(hidden, weight, ids), whole(hidden, weight, ids)
    difference = max(float((a - b).abs().max()) for a, b in zip(few, every, strict=True))
    turns = range(options.repeats)
    pairs = [
        (seconds(lambda: whole(hidden, weight, ids)), seconds(lambda: restricted(hidden, weight, ids))) for _ in turns
    ]
    slow, fast = (median(column) * 1e3 for column in zip(*pairs, strict=True))
    print(
        f"{options.slots} slots, {options.symbols} of {options.tokens:,} tokens, width {options.width:,}: whole "
        f"{slow:,.1f} ms, restricted {fast:.3f} ms, {median(a / b for a, b in pairs):,.0f} times faster; largest "
        f"difference {difference:.1e}"
    )


if __name__ == "__main__":
    main()
