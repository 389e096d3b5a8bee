"""Run the official JSON Schema test suite against the judges one could take, and count what each gets wrong.

    python benchmarks/judges.py [--list NAME]        # --list names each wrong case of one candidate

The suite is read from `shared/data/json-schema-test-suite` beside the repository; a candidate that is not installed is
left out. A case is one instance of the suite; an exception counts as wrong. The required tests say that formats are
annotations, so each candidate checks formats in the other parts alone; dgsolve's judge, which always does, gets the 19
cases of required/format.json "wrong" on purpose. One remote that optional/cross-draft names is not in the copy.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parents[2] / "shared/data/json-schema-test-suite"
BASE = "http://localhost:1234/"
Check = Callable[[Any], bool]
Build = Callable[[Any, bool], Check]  # of a schema and whether formats are checked


@dataclass(frozen=True)
class Case:
    """One instance of the suite: what is right is `valid`."""

    part: str
    file: str
    group: str
    description: str
    schema: Any
    instance: Any
    valid: bool


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)


def cases() -> Iterator[Case]:
    """The required tests and those of the formats, in the suite's order."""
    root = SUITE / "tests/draft2020-12"
    for part, folder in (("required", root), ("optional", root / "optional"), ("format", root / "optional/format")):
        for path in sorted(folder.glob("*.json")):
            for group in read(path):
                for test in group["tests"]:
                    names = (part, path.stem, group["description"], test["description"])
                    yield Case(*names, group["schema"], test["data"], test["valid"])


def remotes() -> list[tuple[str, Any]]:
    folder = SUITE / "remotes"
    return [(BASE + path.relative_to(folder).as_posix(), read(path)) for path in sorted(folder.rglob("*.json"))]


def jsonschema_rs() -> Build:
    import jsonschema_rs as library

    registry = library.Registry(remotes(), draft=library.Draft202012)

    def build(schema: Any, formats: bool) -> Check:
        return library.Draft202012Validator(schema, registry=registry, validate_formats=formats, offline=True).is_valid

    return build


def python_jsonschema() -> Build:
    import jsonschema
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    pairs = [(uri, DRAFT202012.create_resource(contents)) for uri, contents in remotes()]
    registry: Any = Registry().with_resources(pairs)
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER

    def build(schema: Any, formats: bool) -> Check:
        chosen = checker if formats else None
        return jsonschema.Draft202012Validator(schema, registry=registry, format_checker=chosen).is_valid

    return build


def fastjsonschema() -> Build:
    import fastjsonschema as library

    stored = dict(remotes())

    def build(schema: Any, formats: bool) -> Check:
        check = library.compile(schema, handlers={"http": stored.__getitem__}, use_formats=formats)

        def accepts(instance: Any) -> bool:
            try:
                check(instance)
            except library.JsonSchemaValueException:
                return False
            return True

        return accepts

    return build


def our_judge() -> Build:
    from dgsolve.language.json_schema.judge import Judge

    stored = dict(remotes())
    return lambda schema, formats: Judge(schema, remotes=stored).accepts


CANDIDATES: dict[str, tuple[str, Callable[[], Build]]] = {
    "dgsolve": ("dgsolve", our_judge),
    "jsonschema-rs": ("jsonschema-rs", jsonschema_rs),
    "python-jsonschema": ("jsonschema", python_jsonschema),
    "fastjsonschema": ("fastjsonschema", fastjsonschema),
}


def wrong(build: Build) -> Iterator[tuple[Case, str]]:
    """Each case that the candidate gets wrong, with what it did."""
    for case in cases():
        try:
            verdict: object = build(case.schema, case.part != "required")(case.instance)
        except Exception as error:  # any failure of a candidate is a wrong answer, whatever its type
            verdict = f"{type(error).__name__}: {str(error).splitlines()[0]}" if str(error) else type(error).__name__
        if verdict is not case.valid:
            yield case, str(verdict)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=CANDIDATES, help="name each wrong case of this candidate")
    chosen = parser.parse_args().list
    if not SUITE.is_dir():
        sys.exit(f"The suite is not there: {SUITE}")
    total = Counter(case.part for case in cases())
    print("judge".ljust(28), *(f"{part} ({count})".rjust(18) for part, count in total.items()))
    for name, (package, load) in CANDIDATES.items():
        if chosen not in (None, name):
            continue
        try:
            build = load()
        except ImportError as error:
            print(f"{name} is left out: {error}")
            continue
        faults = list(wrong(build))
        count = Counter(case.part for case, _ in faults)
        print(f"{name} {version(package)}".ljust(28), *(f"{count[part]} wrong".rjust(18) for part in total))
        for case, verdict in faults if chosen else ():
            print(f"  {case.part}/{case.file}: {case.group}: {case.description}: {verdict}, not {case.valid}")


if __name__ == "__main__":
    main()
