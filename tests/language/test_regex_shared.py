"""The official suite's tests of ECMA-262 patterns, and every pattern of real schemas."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dgsolve.language.code_points import json_string_character, utf8
from dgsolve.language.regex import RegexError, compile_regex

DATA = Path(__file__).parents[3] / "shared" / "data"
SUITE = DATA / "json-schema-test-suite" / "tests" / "draft2020-12" / "optional"
REAL = DATA / "jsonschemabench"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="shared/data is not beside the repository")

# The suite's `format: regex` is strict; we take a leading (?i), which people write.
TAKEN_ALL_THE_SAME = {"(?i)abc", "(?ims)abc", "(?P<name>x)"}


def _cases(file: str) -> Iterator[tuple[dict, object, bool]]:
    for group in json.loads((SUITE / file).read_text(encoding="utf-8")):
        for case in group["tests"]:
            yield group["schema"], case["data"], case["valid"]


def test_official_patterns() -> None:
    compared = 0
    for schema, value, valid in _cases("ecmascript-regex.json"):
        compared += 1
        if "pattern" in schema:
            assert compile_regex(schema["pattern"], utf8).accepts(value.encode()) == valid, (schema, value)
        else:  # patternProperties with no other property allowed
            (pattern,) = schema["patternProperties"]
            assert all(compile_regex(pattern, utf8).accepts(name.encode()) for name in value) == valid, (schema, value)
    assert compared > 70


def test_official_syntax() -> None:
    for _, pattern, valid in _cases("format/ecmascript-regex.json"):
        try:
            compile_regex(pattern, utf8)
            taken = True
        except RegexError as error:
            taken = "no regular language" in error.message  # sound ECMA-262 all the same
        assert taken == (valid or pattern in TAKEN_ALL_THE_SAME), pattern


def _patterns(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        found = schema.get("pattern")
        yield from [found] if isinstance(found, str) else []
        properties = schema.get("patternProperties")
        yield from properties if isinstance(properties, dict) else ()
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    for part in inner:
        yield from _patterns(part)


def test_patterns_of_real_schemas_compile() -> None:
    patterns = {
        found
        for path in REAL.glob("*/*.json")
        for found in _patterns(json.loads(path.read_text(encoding="utf-8"))["schema"])
    }
    assert len(patterns) > 100
    for pattern in sorted(patterns):
        assert not compile_regex(pattern, json_string_character).empty, pattern
