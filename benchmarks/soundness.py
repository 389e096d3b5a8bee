"""Whatever proposes the tokens, the text fits the schema: a denoiser that knows nothing, judged by others.

For every schema that compiles, one text for each seed is drawn from the random denoiser. Every text is judged by
jsonschema-rs called directly (formats on, no key twice), and by llguidance where it compiles the schema too. Texts that
llguidance refuses are counted in two parts: those where a third judge (python-jsonschema) and the standard say that
llguidance is wrong, by the reason, and the others, which are printed.

    pip install llguidance jsonschema

    python benchmarks/soundness.py --jobs 2 --json soundness.ndjson        # Ctrl-C, and the same again goes on
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from figures import share
from results_file import Results
from soundness_judges import jsonschema_rs_of, llguidance_of, own_fault
from vocabularies import vocabulary_at
from worker_process import LostError, spread

from dgsolve import Model
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import DgsolveError, SchemaError
from dgsolve.forms import compile_form

DATA = Path(__file__).parents[2] / "shared" / "data"
SETTINGS = ("folder", "cases", "seeds", "max_new_tokens", "time_limit", "tokenizer")

Case = tuple[str, Any]  # a name and a schema
Line = dict[str, Any]


class Writer:
    """Writes the texts of one schema after another, and has them judged; it runs in a process of its own."""

    def __init__(self, seeds: int, room: int, tokenizer: str | None) -> None:
        import torch

        torch.set_num_threads(1)
        self.seeds, self.room = seeds, room
        self.model = Model(RandomDenoiser(None if tokenizer is None else vocabulary_at(Path(tokenizer))))

    def __call__(self, case: Case) -> Line:
        """What came of a schema, as plain values."""
        _, schema = case
        begun = time.perf_counter()
        return {**self._tried(schema), "seconds": round(time.perf_counter() - begun, 3)}

    def _tried(self, schema: Any) -> Line:
        form = compile_form(schema)
        try:
            fewest = form.min_tokens(self.model.denoiser.text)
        except SchemaError as error:
            return {"refused": f"{type(error).__name__}: {error.keyword or error.message}"}
        generator = self.model.generator(form, max_new_tokens=max(self.room, fewest + self.room // 4))
        judge, other = jsonschema_rs_of(schema), llguidance_of(schema)
        texts = []
        for seed in range(self.seeds):
            try:
                result = generator.run("?", seed=seed, draw=True, max_denoising_steps=1)
            except Exception as error:  # one bad schema must not end a long run: it is counted, named and fails it
                texts.append({"seed": seed, "raised": _said(error)})
                continue
            text = {"seed": seed, "text": result.text, "attempts": result.attempts, "judge": judge(result.text)}
            if other is not None:
                text["llguidance"] = said = other(result.text)
                text["own_fault"] = own_fault(schema, result.text) if said else ""
            texts.append(text)
        return {"texts": texts}


def _said(error: Exception) -> str:
    told = error.message if isinstance(error, DgsolveError) else str(error)
    return f"{type(error).__name__}: {told}"


def schemas(options: argparse.Namespace) -> Iterator[Case]:
    """Every schema with its file."""
    for path in sorted(options.folder.glob("*/*.json")):
        yield f"{path.parent.name}/{path.name}", json.loads(path.read_text(encoding="utf-8"))["schema"]
    for line in options.cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield f"{options.cases.name} {case['id']}", case["schema"]


def findings(name: str, line: Line) -> Iterator[str]:
    """Everything that somebody should look at."""
    if "lost" in line:
        yield f"{name}: {line['lost']}"
    for text in line.get("texts", ()):
        where = f"{name}, seed {text['seed']}"
        if "raised" in text:
            yield f"{where}: {text['raised']}"
            continue
        for judge in ("judge", "llguidance"):
            if text.get(judge) and not (judge == "llguidance" and text["own_fault"]):
                yield f"{where}: refused by {judge}: {text[judge]}\n    {text['text'][:300]}"


def report(lines: Sequence[Line]) -> bool:
    """Print what came out; whether every text is valid, and every schema gave its texts or was refused."""
    compiled = [line for line in lines if "texts" in line]
    refused = Counter(line["refused"] for line in lines if "refused" in line)
    lost = Counter(line["lost"] for line in lines if "lost" in line)
    every = [text for line in compiled for text in line["texts"]]
    texts, raised = [text for text in every if "text" in text], [text for text in every if "raised" in text]
    valid = sum(not text["judge"] for text in texts)
    print(f"\n{len(lines)} schemas, {len(compiled)} compiled, {refused.total()} refused, {lost.total()} without an end")
    _counts("refused", refused)
    _counts("without an end", lost)
    print(f"{len(texts)} texts; accepted by the judge {share(valid, len(texts))}")
    _counts("no text", Counter(text["raised"].split(":")[0] for text in raised))
    _llguidance(compiled)
    attempts = Counter(text["attempts"] for text in texts)
    print("attempts:", ", ".join(f"{count} x {number}" for number, count in sorted(attempts.items())))
    return valid == len(texts) and not raised and not lost


def _counts(title: str, counts: Counter[str]) -> None:
    for reason, count in counts.most_common():
        print(f"  {title}: {count} x {reason}")


def _llguidance(compiled: Sequence[Line]) -> None:
    schemas = [line for line in compiled if any("llguidance" in text for text in line["texts"])]
    texts = [text for line in schemas for text in line["texts"] if "llguidance" in text]
    wrong = Counter(text["own_fault"] for text in texts if text["own_fault"])
    accepted = sum(not text["llguidance"] for text in texts)
    print(f"llguidance compiles {len(schemas)} of the compiled schemas; texts that it")
    print(f"  accepts: {share(accepted, len(texts))}")
    print(f"  refuses by its own fault, as the standard and python-jsonschema say: {share(wrong.total(), len(texts))}")
    for reason, count in wrong.most_common():
        print(f"    {count} x {reason}")
    print(f"  refuses otherwise: {share(len(texts) - accepted - wrong.total(), len(texts))}")


def seconds(named: Mapping[str, Line]) -> None:
    spent = {name: line["seconds"] for name, line in named.items() if "seconds" in line}
    if spent:
        slowest = max(spent, key=spent.__getitem__)
        print(f"seconds a schema: median {statistics.median(spent.values()):.1f}, ", end="")
        print(f"most {spent[slowest]:.1f} ({slowest}), sum {sum(spent.values()):.0f}")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=DATA / "jsonschemabench")
    parser.add_argument("--cases", type=Path, default=DATA / "cases" / "structured.jsonl")
    parser.add_argument("--seeds", type=int, default=20, help="texts for each schema")
    parser.add_argument("--limit", type=int, help="take so many schemas, drawn at random")
    parser.add_argument("--sample-seed", type=int, default=0, help="which schemas --limit draws")
    parser.add_argument("--max-new-tokens", type=int, default=256, help="raised where a schema needs more")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds for one schema with all its texts")
    parser.add_argument("--tokenizer", metavar="FOLDER", help="tokens of a transformers tokenizer, not single bytes")
    parser.add_argument("--jobs", type=int, default=1, help="processes, a schema at a time in each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a line for each schema; what is there is not redone")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    found = dict(schemas(options))
    if options.limit is not None:
        drawn = random.Random(options.sample_seed).sample(list(found), min(options.limit, len(found)))
        found = {name: found[name] for name in drawn}
    results = Results(options.json, {name: getattr(options, name) for name in SETTINGS})
    whole = _all(options, found, results)
    named = {name: results.found[name] for name in found if name in results}
    for name, line in named.items():
        for finding in findings(name, line):
            print(finding)
    sound = report(list(named.values()))
    seconds(named)
    sys.exit(130 if not whole else 0 if sound else 1)


def _all(options: argparse.Namespace, found: Mapping[str, Any], results: Results) -> bool:
    """Add what is not there yet; False after Ctrl-C, which keeps what was done until then."""
    from rich.console import Console
    from rich.progress import track

    waiting = [case for case in found.items() if case[0] not in results]
    make = partial(Writer, options.seeds, options.max_new_tokens, options.tokenizer)
    answers = spread(make, waiting, jobs=options.jobs, seconds=options.time_limit)
    try:
        for (name, _), line in track(answers, "schemas", total=len(waiting), console=Console(stderr=True)):
            results.add(name, {"lost": str(line)} if isinstance(line, LostError) else line)
    except KeyboardInterrupt:
        return False
    return True


if __name__ == "__main__":
    main()
