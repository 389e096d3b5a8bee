"""SmolLM2 on extraction prompts: dgsolve beside left-to-right constrained decoding on the same weights.

    pip install llguidance outlines-core                # the peers; one that is missing is left out, and said so
    python benchmarks/extraction.py --count 200 --json extraction.json

The systems take turns on every prompt, in changing order. A text is valid if it ended by itself and jsonschema-rs says
so; a field is right if it equals what the text was made from. Seconds are per prompt, compiling aside.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import jsonschema_rs
import torch
from extraction_prompts import KINDS, SPLITS, Extraction, make_extractions, right_fields
from extraction_systems import System, Written, systems

import dgsolve
from dgsolve.model import Model


@dataclass(frozen=True)
class Outcome:
    """One prompt answered by one system."""

    system: str
    kind: str
    written: Written
    seconds: float
    valid: bool
    right: int
    fields: int
    prompt: str


def compile_seconds(system: System) -> float:
    """The median over the kinds' schemas of compiling one."""
    spent = []
    for kind in KINDS.values():
        start = time.perf_counter()
        system.prepare(kind.name, kind.schema)
        spent.append(time.perf_counter() - start)
    return median(spent)


def outcome(system: System, task: Extraction) -> Outcome:
    """One task, written and judged."""
    start = time.perf_counter()
    written = system.write(task.kind, task.messages)
    seconds = time.perf_counter() - start
    try:
        found = json.loads(written.text) if written.ended else None
    except ValueError:
        found = None
    valid = found is not None and jsonschema_rs.is_valid(task.schema, found, validate_formats=True)
    right = right_fields(found, task.answer)
    return Outcome(system.name, task.kind, written, seconds, valid, right, len(task.answer), task.prompt)


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The figures of one system, by the table's headings."""
    tokens, passes = (sum(getattr(one.written, name) for one in outcomes) for name in ("tokens", "passes"))
    figures = {
        "valid %": 100 * sum(one.valid for one in outcomes) / len(outcomes),
        "fields %": accuracy(outcomes),
        "tokens": tokens,
        "passes": passes,
        "passes/token": passes / max(1, tokens),
        "s median": median(one.seconds for one in outcomes),
        "s total": sum(one.seconds for one in outcomes),
    }
    kinds = dict.fromkeys(one.kind for one in outcomes)
    return figures | {f"{kind} %": accuracy([one for one in outcomes if one.kind == kind]) for kind in kinds}


def accuracy(outcomes: Sequence[Outcome]) -> float:
    return 100 * sum(one.right for one in outcomes) / sum(one.fields for one in outcomes)


def print_table(rows: Mapping[str, Mapping[str, float]]) -> None:
    headings = list(next(iter(rows.values())))
    print(f"\n{'':12}" + "".join(f"{heading:>14}" for heading in headings))
    for name, figures in rows.items():
        shown = (f"{value:14,}" if isinstance(value, int) else f"{value:14.2f}" for value in figures.values())
        print(f"{name:12}" + "".join(shown))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=SPLITS, default="held-out")
    parser.add_argument("--peers", default="llguidance,outlines")
    parser.add_argument("--model", default="smollm2", help="a name or folder that dgsolve.load takes")
    parser.add_argument("--max-new-tokens", type=int, default=160)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write every outcome into this file")
    parser.add_argument("-v", "--verbose", action="store_true", help="show texts with wrong fields")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    torch.set_num_threads(options.threads)
    model = dgsolve.load(options.model)
    assert isinstance(model, Model)
    running = systems(model, options.peers.split(","), options.max_new_tokens)
    compiled = {system.name: compile_seconds(system) for system in running}
    for task in make_extractions(len(KINDS), options.seed, "dev"):  # warm-up
        for system in running:
            system.write(task.kind, task.messages)
    outcomes: list[Outcome] = []
    for number, task in enumerate(make_extractions(options.count, options.seed, options.split)):
        turn = number % len(running)
        outcomes += [outcome(system, task) for system in running[turn:] + running[:turn]]
        if options.verbose:
            show_wrong(outcomes[-len(running) :])
    rows = {name: summary([one for one in outcomes if one.system == name]) for name in compiled}
    print(f"{options.count} prompts ({options.split}, seed {options.seed}), at most {options.max_new_tokens} tokens, "
          f"{options.threads} threads; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip
    print("compile, s a schema, median:", ", ".join(f"{name} {spent:.3f}" for name, spent in compiled.items()))
    print_table(rows)
    if options.json:
        record = {"options": vars(options) | {"json": str(options.json)}, "compile_seconds": compiled, "summary": rows}
        record["outcomes"] = [asdict(one) for one in outcomes]
        options.json.write_text(json.dumps(record, indent=1, default=str), encoding="utf-8")


def show_wrong(outcomes: Iterable[Outcome]) -> None:
    for one in outcomes:
        if one.right < one.fields or not one.valid:
            print(
                f"{one.system} ({one.kind}): {one.right} of {one.fields} right\n  {one.prompt!r}\n  {one.written}",
                flush=True,
            )


if __name__ == "__main__":
    main()
