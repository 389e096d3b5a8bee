"""Records as JSON by a DiffusionGemma: what the model writes alone, and what a schema adds.

    dgsolve data json runs/data
    dgsolve train diffusion-gemma runs/records --data runs/data/json.jsonl
    python benchmarks/json_text.py runs/records/model --pairs runs/data/json_held_out.jsonl --count 200
    python benchmarks/json_text.py MODEL --pairs FILE --rows schema --conditions posterior logits none

MODEL is a folder of a DiffusionGemma, or "diffusion-gemma" for the one that ships; FILE is what `dgsolve data json`
writes, prompts with the answers that are right. Rows:

    alone       the model's own text, as Transformers' generate() writes it
    schema      kept inside the JSON Schema of the record: each key once and in order, each value of its type

"valid" counts texts that fit that schema, "fields" the values that are right, "records" those with all values right.
--conditions compares what self-conditioning is told in the row "schema".
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import torch
from figures import share

from dgsolve.denoisers.base import Denoiser
from dgsolve.forms.base import Form
from dgsolve.forms.compiling import compile_form
from dgsolve.forms.text_forms import RegexForm
from dgsolve.loading import load_denoiser
from dgsolve.loop import solve_many
from dgsolve.problem import TextProblem
from dgsolve.problems.text import Text
from dgsolve.solution import Solution
from dgsolve.train.text_pairs import TextPair, read_pairs

ROWS: dict[str, dict[str, Any]] = {"alone": {"feedback": False, "self_conditioning": "logits"}, "schema": {}}
TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


def form_of(pair: TextPair) -> Form:
    """The JSON Schema of the answer that is right, by the types of its values."""
    record = json.loads(pair.answer)
    properties = {key: {"type": TYPES[type(value)]} for key, value in record.items()}
    schema = {"type": "object", "properties": properties, "required": list(record), "additionalProperties": False}
    return compile_form(schema)


def problems(pairs: Sequence[TextPair], forms: Sequence[Form], denoiser: Denoiser, row: str) -> Iterator[Text]:
    """The prompts, answered on one canvas each by a text of any form, or of the record's."""
    anything, slots = RegexForm(r"[\s\S]*"), denoiser.canvas_slots
    if denoiser.text is None or slots is None:
        raise SystemExit(f"{denoiser.name} writes no text block by block")
    for pair, form in zip(pairs, forms, strict=True):
        yield Text(anything if row == "alone" else form, denoiser.text, pair.prompt, slots, slots)


def written(solution: Solution) -> str:
    """What the slots spell, whether or not it is an answer."""
    assert isinstance(solution.problem, TextProblem)
    return solution.problem.decode(solution.values)


def right_fields(pair: TextPair, text: str) -> list[bool]:
    """Of each key of the record whether the text says its value, type included."""
    record = json.loads(pair.answer)
    try:
        said = json.loads(text)
    except ValueError:
        said = None
    told = said if isinstance(said, dict) else {}
    return [key in told and (type(told[key]), told[key]) == (type(value), value) for key, value in record.items()]


def measure(
    pairs: list[TextPair], denoiser: Denoiser, row: str, more: dict[str, Any], options: argparse.Namespace
) -> None:
    """Print a line about the prompts; more: settings beside those of the row."""
    forms = [form_of(pair) for pair in pairs]
    asked = list(problems(pairs, forms, denoiser, row))
    settings = {"max_denoising_steps": options.steps, **ROWS[row], **more}
    started = time.perf_counter()
    solutions = list(solve_many(asked, denoiser, seed=options.seed, batch_canvases=options.batch, **settings))
    pace = len(pairs) / (time.perf_counter() - started)
    texts = [written(solution) for solution in solutions]
    valid = sum(form.accepts(text) for form, text in zip(forms, texts, strict=True))
    said = settings.get("self_conditioning", denoiser.sampling.self_conditioning)
    fields = [right_fields(pair, text) for pair, text in zip(pairs, texts, strict=True)]
    marks = [mark for of_one in fields for mark in of_one]
    print(
        f"{row:8} valid {share(valid, len(texts))}, fields {share(sum(marks), len(marks))}, "
        f"records {share(sum(map(all, fields)), len(fields))}, steps {mean(s.steps for s in solutions):.1f}, "
        f"{pace:.2f} a second, self-conditioning {said}",
        flush=True,
    )
    for pair, text in zip(pairs[: options.show], texts, strict=False):
        print(f"    wanted {pair.answer}\n    said   {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, metavar="FILE")
    parser.add_argument("--adapter", help="a LoRA adapter on the model")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--conditions", nargs="+", choices=("posterior", "logits", "none"))
    parser.add_argument("--steps", type=int, default=48)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="the first N texts, beside the right ones")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    denoiser = load_denoiser(options.model, adapter=options.adapter)
    for path in options.pairs:
        pairs = read_pairs(path)[: options.count]
        print(f"{path.name}: {len(pairs)} prompts, {denoiser.name}, at most {options.steps} steps, seed {options.seed}")
        for row in options.rows:
            compared = options.conditions if row == "schema" and options.conditions else [None]
            for condition in compared:
                measure(pairs, denoiser, row, {"self_conditioning": condition} if condition else {}, options)


if __name__ == "__main__":
    main()
