"""JSON Schemas as regular languages, measured on real schemas, on the official suite and on public bug reports.

MaskBench protocol: a schema passes if it compiles, every valid instance is accepted and every invalid one is refused,
by automaton and judge together; an instance counts by its text in our spelling, keys in our order.

    python benchmarks/json_schemas.py --folder ../shared/data
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dgsolve.errors import DgsolveError, SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.language import JsonLanguage, compile_schema
from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.json_text import parse

Instance = tuple[bool, Any]


@dataclass
class Tally:
    """Schemas and instances of one set."""

    passed: int = 0
    schemas: int = 0
    right: int = 0
    instances: int = 0
    narrow: int = 0  # valid instances that the automaton refuses
    false_accepts: int = 0
    by_automaton: int = 0  # invalid instances that the automaton alone refuses
    invalid: int = 0
    empty: int = 0  # schemas said to have no valid instance at all
    seconds: list[float] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, schema: Any, instances: Sequence[Instance], tell: Callable[[str], None]) -> None:
        self.schemas += 1
        self.instances += len(instances)
        start = time.thread_time()
        try:
            language = compile_schema(schema)
        except UnsatisfiableSchemaError as error:
            self.refuse_all(instances, f"{name}: {error}", tell)
            return
        except DgsolveError as error:
            self.failures[type(error).__name__] += 1
            tell(f"{name}: {type(error).__name__}: {error}")
            return
        finally:
            self.seconds.append(time.thread_time() - start)
        self.states.append(len(language.acceptor))
        wrong = [f for valid, value in instances if (f := self._fault(language, valid, value))]
        self.right += len(instances) - len(wrong)
        self.passed += not wrong
        self.failures.update(dict.fromkeys(wrong, 1))
        if wrong:
            tell(f"{name}: {', '.join(f'{count} x {reason}' for reason, count in Counter(wrong).items())}")

    def refuse_all(self, instances: Sequence[Instance], told: str, tell: Callable[[str], None]) -> None:
        """A schema that is said to have no valid instance: right where it has none."""
        self.empty += 1
        invalid = sum(not valid for valid, _ in instances)
        self.right += invalid
        if invalid == len(instances):
            self.passed += 1
        else:
            self.failures["said to have no valid instance"] += 1
            tell(told)

    def _fault(self, language: JsonLanguage, valid: bool, value: Any) -> str:
        automaton = language.acceptor.accepts(spell(language.arrange(value)).encode())
        judged = language.judge.accepts(value)
        self.invalid += not valid
        self.by_automaton += not valid and not automaton
        if valid and not automaton:
            self.narrow += 1
            return "valid refused by the automaton"
        if valid and not judged:
            return "valid refused by the judge"
        if not valid and automaton and judged:
            self.false_accepts += 1
            return "invalid accepted"
        return ""

    def print(self, title: str) -> None:
        print(f"\n{title}: {self.passed} of {self.schemas} schemas pass ({self.passed / self.schemas:.1%}), ", end="")
        print(f"{self.right} of {self.instances} instances ({self.right / max(1, self.instances):.1%}) judged right")
        print(f"  valid refused by the automaton {self.narrow}, invalid accepted {self.false_accepts}, ", end="")
        print(f"invalid refused by the automaton alone {self.by_automaton} of {self.invalid}")
        if self.empty:
            print(f"  refused as having no valid instance: {self.empty} schemas, right where all instances are invalid")
        print("  compile, ms of computing time:", _spread([1000 * second for second in self.seconds]))
        print("  states:", _spread(self.states))
        for reason, count in self.failures.most_common():
            print(f"  {count} x {reason}")


def _spread(figures: Sequence[float]) -> str:
    if not figures:
        return "none"
    ordered = sorted(figures)
    p90, p99 = (ordered[int(share * len(ordered))] for share in (0.9, 0.99))
    return f"median {statistics.median(ordered):,.0f}, p90 {p90:,.0f}, p99 {p99:,.0f}, max {ordered[-1]:,.0f}"


def mask_bench(folder: Path) -> Iterator[tuple[str, Any, list[Instance]]]:
    for path in sorted(folder.glob("*/*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        yield path.stem, file["schema"], [(test["valid"], test["data"]) for test in file["tests"]]


def official_suite(folder: Path) -> Iterator[tuple[str, Any, list[Instance]]]:
    """Remote references aside."""
    for path in sorted((folder / "tests" / "draft2020-12").glob("*.json")):
        if path.stem != "refRemote":
            for group in json.loads(path.read_text(encoding="utf-8")):
                tests = [(test["valid"], test["data"]) for test in group["tests"]]
                yield f"{path.stem}: {group['description']}", group["schema"], tests


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--limit", type=int, help="take this many schemas of each set, evenly spread")
    parser.add_argument("--only", choices=["maskbench", "suite", "reports"])
    parser.add_argument("-v", "--verbose", action="store_true", help="name each failure")
    options = parser.parse_args()
    tell = print if options.verbose else lambda line: None
    sets = {
        "maskbench": lambda: mask_bench(options.folder / "jsonschemabench"),
        "suite": lambda: official_suite(options.folder / "json-schema-test-suite"),
    }
    for name, cases in sets.items():
        if options.only in (None, name):
            found, tally = list(cases()), Tally()
            step = max(1, len(found) // options.limit) if options.limit else 1
            for case in found[::step][: options.limit]:
                tally.add(*case, tell)
            tally.print(name)
    if options.only in (None, "reports"):
        right, total = bug_reports(options.folder / "cases" / "structured.jsonl", tell)
        print(f"\nreports: {right} of {total} behave as expected")


if __name__ == "__main__":
    main()
