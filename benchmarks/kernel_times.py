"""What the kernels cost beside Transformers' own sampler step over the same logits.

    python benchmarks/kernel_times.py                                256 slots x 262,144 tokens, on a GPU if there is
    python benchmarks/kernel_times.py --device cpu --repeats 3       the torch paths
    python benchmarks/kernel_times.py --dtype bfloat16 --canvases 4  a batch, of logits in half precision
    TRITON_INTERPRET=0 pytest tests/kernels && python benchmarks/kernel_times.py    all that a GPU is needed for

Transformers' step is what `_denoising_step` of DiffusionGemma does after the forward: temperature, softmax, a draw,
argmax, acceptance, re-noising, the stopping criterion's entropy, and the logits kept for self-conditioning. All take
turns in one process. "of the limit" is the least that an operation must read and write, by the bandwidth of a copy in
the same run. Steps are the engine's own, from the logits of a pass to a draft: temperature, the posterior, its mode and
a joint draw, all entropies and probabilities, acceptance and the stopping criterion; what re-noises is not in it. On a
GPU they run through the kernels, whose times follow; the chain of a canvas is bound by its 256 slots, one after the
other, not by memory. Logits are random.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from types import SimpleNamespace

import numpy as np
import torch
from posterior import schemas
from vocabularies import made_up_vocabulary

from dgsolve.constraints.base import Constraint
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.constraints.unconstrained import Unconstrained
from dgsolve.kernels.chain import Lattice, chain
from dgsolve.kernels.class_reduction import ClassRuns, class_reduction
from dgsolve.kernels.self_conditioning import self_conditioning
from dgsolve.kernels.slot_reduction import slot_reduction
from dgsolve.language.token_table import compile_tokens
from dgsolve.rows import Rows
from dgsolve.sampling.drafting import Draft, EntropyBoundDrafting
from dgsolve.sampling.settings import Sampling

BOUND, STEP, STEPS, T_MIN, T_MAX = 0.1, 24, 48, 0.4, 0.8  # nats; the step of how many; the schedule's ends
COPIED = 1 << 28  # bytes of the copy by which bandwidth is measured


@dataclass(frozen=True)
class Operation:
    """work, and the least bytes that it must move, 0 where memory is not what limits it."""

    name: str
    work: Callable[[], object]
    moved: int = 0
    against: str = "transformers' step"


def transformers_step(logits: torch.Tensor) -> Callable[[], object]:
    """As in `DiffusionGemmaGenerationMixin._denoising_step`, line by line."""
    from transformers.models.diffusion_gemma import generation_diffusion_gemma as gemma

    canvases, slots, size = logits.shape
    sampler = gemma.EntropyBoundSampler(gemma.EntropyBoundSamplerConfig(entropy_bound=BOUND), slots, size, STEPS)
    stopping = gemma.StableAndConfidentStoppingCriteria(1, 0.005)
    schedule = gemma.LinearTemperatureScheduleLogitsProcessor(T_MIN, T_MAX, STEPS)
    canvas = sampler.initialize_canvas(canvases, logits.device)
    step = torch.tensor(STEP, dtype=torch.int32, device=logits.device)

    def work() -> object:
        processed = schedule(canvas, logits, cur_step=step)
        probability = torch.softmax(processed, dim=-1, dtype=torch.float32)
        draw = torch.multinomial(probability.view(-1, size), num_samples=1).view(canvases, slots)
        mode = torch.argmax(processed, dim=-1)
        accepted = sampler.accept_canvas(canvas, draw, processed, step)
        renoised = sampler.renoise_canvas(accepted, step)
        return renoised, stopping(mode, processed), processed.to(torch.bfloat16)

    return work


def transformers_self_conditioning(kept: torch.Tensor, embedding: torch.Tensor) -> Callable[[], object]:
    return lambda: torch.matmul(kept.softmax(dim=-1, dtype=torch.float32).to(embedding.dtype), embedding)


def padded(rows: list[np.ndarray], device: torch.device) -> torch.Tensor:
    """Float32 [n, M] of rows of any length; what is added is never read."""
    found = np.zeros((len(rows), max(map(len, rows))), dtype=np.float32)
    for line, row in zip(found, rows, strict=True):
        line[: len(row)] = row
    return torch.from_numpy(found).to(device)


def engine_step(constraint: Constraint, logits: torch.Tensor) -> Callable[[], Draft]:
    """From the logits of a pass to the draft, as the loop takes a step of DiffusionGemma."""
    canvases, slots, _ = logits.shape
    zeros, step = torch.zeros(canvases, dtype=torch.long), torch.full((canvases,), STEP)
    tokens, locked = torch.zeros(canvases, slots, dtype=torch.long), torch.zeros(canvases, slots, dtype=torch.bool)
    rows = Rows.fresh(zeros, zeros, step, zeros, torch.arange(canvases), tokens, locked)
    sampling = Sampling(max_denoising_steps=STEPS, t_min=T_MIN, t_max=T_MAX, entropy_bound=BOUND, place_draws=True)
    return lambda: EntropyBoundDrafting().draft(constraint, logits, tokens, locked, rows, sampling)


def constrained(logits: torch.Tensor, options: argparse.Namespace) -> list[Operation]:
    """The step under a schema, and the kernels that a GPU takes it by."""
    canvases, slots, size = logits.shape
    table = compile_tokens(schemas()[options.schema], made_up_vocabulary(size))
    automaton = TokenAutomaton.begin(table, slots, canvases)
    print(f"{options.schema}: {table.states:,} states, {table.class_count} classes, {len(table.classes):,} transitions")
    posterior = automaton.posterior(logits)
    rows = [posterior.row(row) for row in range(canvases)]
    parts = [SimpleNamespace(steps=row.steps, weights=padded(row.sums.bundle_sums, logits.device),
                             best=padded(row.sums.bundle_best, logits.device)) for row in rows]  # fmt: skip
    lattice = Lattice.of([part.steps for part in parts], logits.device)
    weights, best = (torch.stack([getattr(part, name) for part in parts]) for name in ("weights", "best"))
    class_of = torch.from_numpy(table.token_class.astype(np.int64)).to(logits.device)
    runs, warmth = ClassRuns.of(class_of, table.class_count), torch.ones(canvases, device=logits.device)
    uniform = torch.rand(canvases, slots, device=logits.device, dtype=torch.float64)
    read = logits.numel() * logits.element_size()
    return [
        Operation("constrained step", engine_step(automaton, logits), read),
        Operation("  kernel class_reduction", lambda: class_reduction(logits, warmth, runs), read),
        Operation("  kernel chain", lambda: chain(lattice, weights, best, uniform)),
    ]


def operations(logits: torch.Tensor, options: argparse.Namespace) -> list[Operation]:
    canvases, slots, size = logits.shape
    warmth = torch.full((canvases,), T_MIN + (T_MAX - T_MIN) * STEP / STEPS, device=logits.device)
    free = Unconstrained.begin(size, slots)
    kept = (logits / warmth[:, None, None]).bfloat16()
    embedding = torch.randn(size, options.columns, device=logits.device).bfloat16()
    once, read = torch.ones(canvases, device=logits.device), logits.numel() * logits.element_size()
    both = kept.numel() * 2 + embedding.numel() * 2
    theirs = "transformers' self-conditioning"
    return [
        Operation("transformers' step", transformers_step(logits), read),
        Operation("softmax", lambda: torch.softmax(logits, -1), 2 * read),
        Operation("unconstrained step", engine_step(free, logits), read),
        Operation("  kernel slot_reduction", lambda: slot_reduction(logits, warmth), read),
        *constrained(logits, options),
        Operation(theirs, transformers_self_conditioning(kept, embedding), both),
        Operation("self_conditioning", lambda: self_conditioning(kept, once, embedding), both, theirs),
    ]


def seconds(work: Callable[[], object], device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize()
    started = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started


def bandwidth(device: torch.device) -> float:
    """Bytes a second, read and written, by a copy."""
    source = torch.ones(COPIED // 4, device=device)
    target = torch.empty_like(source)
    return 2 * COPIED / median(seconds(lambda: target.copy_(source), device) for _ in range(10))


def report(found: dict[str, list[float]], listed: list[Operation], limit: float) -> None:
    print(f"{'':34}{'ms':>9}{'times as fast':>15}{'MB moved':>10}{'GB/s':>8}{'of the limit':>14}")
    for operation in listed:
        own = found[operation.name]
        ratio = median(theirs / ours for theirs, ours in zip(found[operation.against], own, strict=True))
        speed = operation.moved / median(own)
        share = f"{operation.moved / 1e6:10,.0f}{speed / 1e9:8,.0f}{speed / limit:14.0%}" if operation.moved else ""
        print(f"{operation.name:34}{median(own) * 1e3:9,.2f}{ratio:15.2f}{share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--size", default="256x262144", help="slots x tokens")
    parser.add_argument("--canvases", type=int, default=1)
    parser.add_argument("--columns", type=int, help="of the embedding; by default 2304 on a GPU, 64 on a CPU")
    parser.add_argument("--schema", choices=list(schemas()), default="free strings")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32", help="the model's own: float32")
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    device = torch.device(options.device)
    options.columns = options.columns or (2304 if device.type == "cuda" else 64)
    options.repeats = options.repeats or (20 if device.type == "cuda" else 3)
    torch.set_num_threads(options.threads)
    slots, tokens = map(int, options.size.split("x"))
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(options.canvases, slots, tokens, generator=generator) * 3
    logits = logits.to(device, getattr(torch, options.dtype))
    limit = bandwidth(device)
    where = torch.cuda.get_device_name() if device.type == "cuda" else f"CPU, {options.threads} threads"
    print(f"{where}: {options.canvases} x {slots} slots x {tokens:,} tokens, {options.dtype}, medians of "
          f"{options.repeats}; a copy moves {limit / 1e9:,.0f} GB/s; load {os.getloadavg()[0]:.1f}")  # fmt: skip
    listed = operations(logits, options)
    for operation in listed:
        operation.work()  # what is compiled or built once is not measured
    turns = [[seconds(operation.work, device) for operation in listed] for _ in range(options.repeats)]
    report(
        {one.name: list(column) for one, column in zip(listed, zip(*turns, strict=True), strict=True)}, listed, limit
    )


if __name__ == "__main__":
    main()
