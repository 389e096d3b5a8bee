"""SmolLM2 on extraction prompts: dgsolve beside left-to-right constrained decoding on the same weights.

    pip install llguidance outlines-core                # the peers
    python benchmarks/extraction.py --count 200 --json extraction.ndjson

The systems take turns on every prompt, in changing order, so their ratios hold on a busy machine too. A text is valid
if it ended by itself and jsonschema-rs says so; a field is right if it equals what the text was made from. Seconds are
per prompt, compiling aside; "x dgsolve" is the median over the prompts of a system's seconds by dgsolve's. Each outcome
is written at once: the same command goes on where it was broken off.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import jsonschema_rs
import torch
from extraction_prompts import KINDS, SPLITS, Extraction, make_extractions, right_fields
from extraction_systems import SYSTEMS, System, systems
from results_file import Results
from rich.console import Console
from rich.progress import track

import dgsolve
from dgsolve.cache_folder import VARIABLE
from dgsolve.model import Model

Outcome = dict[str, Any]


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
    judged = {"valid": valid, "right": right_fields(found, task.answer), "fields": len(task.answer)}
    return {"kind": task.kind, **asdict(written), "seconds": seconds, **judged, "prompt": task.prompt}


def summary(outcomes: Sequence[Outcome], ours: Sequence[Outcome]) -> dict[str, float]:
    """The figures of one system, by the table's headings; ours: those of dgsolve on the same prompts."""
    tokens, passes = (sum(one[name] for one in outcomes) for name in ("tokens", "passes"))
    figures = {
        "valid %": 100 * sum(one["valid"] for one in outcomes) / len(outcomes),
        "fields %": accuracy(outcomes),
        "tokens": tokens,
        "passes": passes,
        "passes/token": passes / max(1, tokens),
        "s median": median(one["seconds"] for one in outcomes),
        "s total": sum(one["seconds"] for one in outcomes),
    }
    if ours:
        ratios = (one["seconds"] / other["seconds"] for one, other in zip(outcomes, ours, strict=True))
        figures["x dgsolve"] = median(ratios)
    kinds = dict.fromkeys(one["kind"] for one in outcomes)
    return figures | {f"{kind} %": accuracy([one for one in outcomes if one["kind"] == kind]) for kind in kinds}


def accuracy(outcomes: Sequence[Outcome]) -> float:
    return 100 * sum(one["right"] for one in outcomes) / sum(one["fields"] for one in outcomes)


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
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="which, with commas between; default: all")
    parser.add_argument("--model", default="smollm2", help="a name or folder that dgsolve.load takes")
    parser.add_argument("--max-new-tokens", type=int, default=160)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write each outcome there; go on from it")
    parser.add_argument("-v", "--verbose", action="store_true", help="show texts with wrong fields")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    torch.set_num_threads(options.threads)
    names = ("seed", "split", "model", "max_new_tokens", "threads")
    results = Results(options.json, {name: getattr(options, name) for name in names})
    model = dgsolve.load(options.model)
    assert isinstance(model, Model)
    os.environ[VARIABLE] = "off"  # else a schema would be taken from the run before, and not compiled
    running = systems(model, options.systems.split(","), options.max_new_tokens)
    compiled = {system.name: compile_seconds(system) for system in running}
    for task in make_extractions(len(KINDS), options.seed, "dev"):  # warm-up
        for system in running:
            system.write(task.kind, task.messages)
    tasks = make_extractions(options.count, options.seed, options.split)
    for number, task in enumerate(track(tasks, "prompts", console=Console(stderr=True))):
        turn = number % len(running)
        for system in running[turn:] + running[:turn]:
            if (name := f"{number} {system.name}") not in results:
                results.add(name, outcome(system, task))
                if options.verbose:
                    show_wrong(name, results.found[name])
    by_system = {name: results.of(f"{number} {name}" for number in range(options.count)) for name in compiled}
    rows = {name: summary(outcomes, by_system.get("dgsolve", ())) for name, outcomes in by_system.items()}
    print(f"{options.count} prompts ({options.split}, seed {options.seed}), at most {options.max_new_tokens} tokens, "
          f"{options.threads} threads; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip
    print("compile, s a schema, median:", ", ".join(f"{name} {spent:.3f}" for name, spent in compiled.items()))
    print_table(rows)


def show_wrong(name: str, one: Outcome) -> None:
    if one["right"] < one["fields"] or not one["valid"]:
        print(f"{name} ({one['kind']}): {one['right']} of {one['fields']} right", flush=True)
        print(f"  {one['prompt']!r}\n  {one['text']!r}", flush=True)


if __name__ == "__main__":
    main()
