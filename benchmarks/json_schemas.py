"""JSON Schemas as regular languages, measured on real schemas, on the official suite and on public bug reports.

MaskBench protocol: a schema passes if it compiles, every valid instance is accepted and every invalid one is refused,
by automaton and judge together; an instance counts by its text in our spelling, keys in our order. The peers get the
same schemas and instances in the same run, each system in a process of its own (json_schema_systems.py says how), and
what hangs or crashes is counted. In the official suite's required tests `format` is an annotation, as they want it.

    pip install llguidance xgrammar
    python benchmarks/json_schemas.py --peers llguidance,xgrammar --json schemas.ndjson    # the same again goes on
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from figures import quantiles, share
from json_schema_systems import PEERS, Answer, Dgsolve, Instance, Peer
from results_file import Results
from worker_process import LostError, Worker

from dgsolve.errors import DgsolveError, SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.language import JsonLanguage, compile_schema
from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.json_text import parse

DGSOLVE = "dgsolve"
Case = tuple[str, Any, list[Instance]]


@dataclass
class Tally:
    """Schemas and instances of one set, as one system answered.

    `lenient` counts the same with the schemas that are refused as unsatisfiable taken as refusing all instances, which
    is right where none is valid; everywhere else any refusal is a failure of the schema and of each of its instances.
    """

    schemas: int = 0
    instances: int = 0
    passed: int = 0
    right: int = 0
    passed_leniently: int = 0
    right_leniently: int = 0
    compiled: int = 0
    unsatisfiable: int = 0
    lost: int = 0
    narrow: int = 0  # valid instances that are refused
    by_automaton: int = 0  # invalid instances that the automaton alone refuses
    invalid: int = 0  # of the schemas that compile
    false_accepts: int = 0
    schemas_with_false_accepts: int = 0
    peak_mb: float = 0.0
    figures: dict[str, list[float]] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)

    def add(self, valid: Sequence[bool], answer: Answer) -> str:
        """Count one schema; what went wrong, in words."""
        self.schemas += 1
        self.instances += len(valid)
        self.peak_mb = max(self.peak_mb, answer.get("peak_mb") or 0.0)
        for name in ("ms", "language_ms", "states"):
            if name in answer:
                self.figures.setdefault(name, []).append(answer[name])
        if "taken" in answer:
            return self._compiled(valid, answer)
        if "lost" in answer:
            self.lost += 1
            return f"lost: {answer['lost']}"
        self.refusals[answer["refused"].split(":")[0][:60]] += 1
        if answer.get("unsatisfiable"):
            self.unsatisfiable += 1
            self.right_leniently += valid.count(False)
            self.passed_leniently += not any(valid)
        return f"refused: {answer['refused']}"

    def _compiled(self, valid: Sequence[bool], answer: Answer) -> str:
        taken: Sequence[bool] = answer["taken"]
        refused = sum(wanted and not found for wanted, found in zip(valid, taken, strict=True))
        false = sum(found and not wanted for wanted, found in zip(valid, taken, strict=True))
        right = len(valid) - refused - false
        self.compiled += 1
        self.right += right
        self.right_leniently += right
        self.passed += right == len(valid)
        self.passed_leniently += right == len(valid)
        self.narrow += refused
        self.false_accepts += false
        self.schemas_with_false_accepts += false > 0
        self.invalid += valid.count(False)
        by_automaton: Sequence[bool] = answer.get("by_automaton", taken)  # a peer has no judge besides
        self.by_automaton += sum(not wanted and not found for wanted, found in zip(valid, by_automaton, strict=True))
        told = {"valid instances refused": refused, "invalid instances accepted": false}
        return ", ".join(f"{count} {what}" for what, count in told.items() if count)

    def print(self, title: str) -> None:
        print(f"\n{title}: {share(self.passed, self.schemas)} schemas pass, ", end="")
        print(f"{share(self.right, self.instances)} instances right; every refusal is a failure")
        if self.unsatisfiable:
            print(f"  with {self.unsatisfiable} refusals as unsatisfiable taken as refusing every instance: ", end="")
            print(f"{share(self.passed_leniently, self.schemas)} and ", end="")
            print(share(self.right_leniently, self.instances))
        print(f"  compiles {self.compiled}, refuses {self.refusals.total()}, hangs or crashes on {self.lost}")
        print(f"  valid instances refused {self.narrow}; invalid ones accepted {self.false_accepts}, ", end="")
        print(f"in {share(self.schemas_with_false_accepts, self.schemas)} schemas; ", end="")
        print(f"refused without a judge {self.by_automaton} of {self.invalid}")
        for name, figures in self.figures.items():
            print(f"  {TITLES[name]}: {quantiles(figures)}")
        print(f"  peak memory of its process {self.peak_mb:,.0f} MB")
        for reason, count in self.refusals.most_common(12):
            print(f"    {count} x {reason}")


TITLES = {
    "ms": "ready, ms of computing, over single bytes",
    "language_ms": "of that, the language",
    "states": "states",
}


class Systems:
    """dgsolve and the peers, a process each, asked one after the other about each schema."""

    def __init__(self, peers: Sequence[str], seconds: float, stack: ExitStack) -> None:
        self.seconds = seconds
        makes: dict[str, Any] = {DGSOLVE: Dgsolve} | {name: partial(Peer, name) for name in peers}
        self.workers = {name: stack.enter_context(Worker(make)) for name, make in makes.items()}

    def ask(self, schema: Any, instances: list[Instance], *, formats: bool, peers: bool) -> dict[str, Answer]:
        """What each system makes of a schema."""
        ours = self._asked(DGSOLVE, (schema, instances, formats))
        texts = ours.pop("texts", None)
        others = [name for name in self.workers if name != DGSOLVE] if peers else []
        return {DGSOLVE: ours} | {name: self._asked(name, (schema, instances, texts)) for name in others}

    def _asked(self, name: str, task: Any) -> Answer:
        try:
            answer: Answer = self.workers[name].call(task, self.seconds)
        except LostError as lost:
            return {"lost": str(lost)}
        return answer


def mask_bench(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*/*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        yield path.stem, file["schema"], [(test["valid"], test["data"]) for test in file["tests"]]


def official_suite(folder: Path) -> Iterator[Case]:
    """Remote references aside."""
    for path in sorted((folder / "tests" / "draft2020-12").glob("*.json")):
        if path.stem != "refRemote":
            for number, group in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
                tests = [(test["valid"], test["data"]) for test in group["tests"]]
                yield f"{path.stem} {number}: {group['description']}", group["schema"], tests


def bug_reports(file: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """How many of the public bug reports behave as their `expect` column says."""
    right = total = 0
    for line in file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        wrong = _bug(case)
        total, right = total + 1, right + (not wrong)
        if wrong:
            tell(f"{case['id']} {case['kind']}: {wrong}")
    return right, total


def _bug(case: dict[str, Any]) -> str:
    expected = {
        "schema-error": (SchemaError,),
        "unsat": (UnsatisfiableSchemaError,),
        "compile-or-UnsupportedSchema": (UnsupportedSchemaError,),
    }.get(case["expect"], ())
    try:
        language = compile_schema(case["schema"])
    except DgsolveError as error:
        return "" if isinstance(error, expected) else f"{type(error).__name__}: {error}"
    if not case["expect"].startswith("compile"):
        return "compiles"
    wrong = [text for text in case["ok"] if not _accepts(language, text)]
    return ", ".join(wrong + [f"takes {text}" for text in case["bad"] if _accepts(language, text)])


def _accepts(language: JsonLanguage, text: str) -> bool:
    try:
        value = parse(text)
    except DgsolveError:
        return False
    return language.acceptor.accepts(spell(language.arrange(value)).encode()) and language.judge.accepts(value)


SETS: dict[str, Callable[[Path], Iterator[Case]]] = {
    "maskbench": lambda folder: mask_bench(folder / "jsonschemabench"),
    "suite": lambda folder: official_suite(folder / "json-schema-test-suite"),
}


def measured(name: str, cases: Sequence[Case], systems: Systems, results: Results) -> bool:
    """Add what is not there yet; False after Ctrl-C, which keeps what was done until then."""
    from rich.console import Console
    from rich.progress import track

    waiting = [case for case in cases if f"{name} {case[0]}" not in results]
    real = name == "maskbench"  # the suite is for dgsolve alone, and wants formats as annotations
    try:
        for title, schema, instances in track(waiting, name, console=Console(stderr=True)):
            results.add(f"{name} {title}", systems.ask(schema, instances, formats=real, peers=real))
    except KeyboardInterrupt:
        return False
    return True


def report(name: str, cases: Sequence[Case], results: Results, tell: Callable[[str], None]) -> None:
    """Print the tallies of one set, a system after the other."""
    tallies: dict[str, Tally] = {}
    for title, _, instances in cases:
        answers: Mapping[str, Answer] = results.found.get(f"{name} {title}", {})
        for system, answer in answers.items():
            wrong = tallies.setdefault(system, Tally()).add([valid for valid, _ in instances], answer)
            if wrong:
                tell(f"{system}: {title}: {wrong}")
    for system, tally in tallies.items():
        tally.print(f"{name}, {system}")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--limit", type=int, help="take this many schemas of each set, evenly spread")
    parser.add_argument("--only", choices=[*SETS, "reports"])
    parser.add_argument("--peers", default="", help=f"beside dgsolve on MaskBench's schemas: {','.join(PEERS)}")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for one schema in one system")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a line for each schema; what is there is not redone")
    parser.add_argument("-v", "--verbose", action="store_true", help="name each failure")
    options = parser.parse_args()
    options.peers = [name for name in options.peers.split(",") if name]
    for name in options.peers:
        if name not in PEERS or importlib.util.find_spec(name) is None:
            parser.error(f"--peers {name}: " + ("pip install it" if name in PEERS else f"known are {', '.join(PEERS)}"))
    return options


def main() -> None:
    options = parsed()
    tell = print if options.verbose else lambda line: None
    results = Results(options.json, {name: getattr(options, name) for name in ("folder", "peers", "time_limit")})
    whole = True
    with ExitStack() as stack:
        systems = Systems(options.peers, options.time_limit, stack) if options.only != "reports" else None
        for name, read in SETS.items():
            if systems is not None and options.only in (None, name) and whole:
                found = list(read(options.folder))
                step = max(1, len(found) // options.limit) if options.limit else 1
                chosen = found[::step][: options.limit]
                whole = measured(name, chosen, systems, results)
                report(name, chosen, results, tell)
    if options.only in (None, "reports") and whole:
        right, total = bug_reports(options.folder / "cases" / "structured.jsonl", tell)
        print(f"\nreports: {right} of {total} behave as expected")
    sys.exit(0 if whole else 130)


if __name__ == "__main__":
    main()
