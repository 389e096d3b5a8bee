"""Every format against the official examples, and against the judge on random changes of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jsonschema_rs
import pytest

from dgsolve.language.json_schema.formats import FORMATS, format_language, judged
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.spelling import spell_string

SUITE = Path(__file__).parents[4] / "shared/data/json-schema-test-suite/tests/draft2020-12/optional/format"
MORE = {
    "uri": ["a:", "a://", "a:/b//c", "http://u:p@h:80/p?q#f", "http://[v1.a:b]/", "http://[1::2:3.4.5.6]"],
    "uri-reference": ["//a", "/", "./1:b", "?a", "a/b:c"],
    "iri": ["a:?\ue000", "http://é@ü/ö?\ue001#ß"],
    "iri-reference": ["é", "?\ue000", "//é"],
    "uri-template": ["{+a,b:3,c*}x%41", "é"],
    "email": ['"a\\"b c"@d', "a@[IPv6:1::2]", "a" * 64 + "@b", "a@[1.2.3.4]", "a@xn--4gbwdl"],
    "idn-email": ['"é"@é.b'],
    "hostname": ["ab--c", "abc-d.e-f", "a" * 63],
    "ipv6": ["1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:1.2.3.4", "1:2:3:4:5:6:1.2.3.4"],
    "duration": ["P1Y2M3DT4H5M6S", "P1YT1S"],
    "date": ["0000-02-29", "1600-02-29", "1900-02-29", "2024-11-30"],
    "time": ["23:59:60Z", "00:59:60+01:00", "00:00:00.1-00:00"],
}
TELLING = list('aZ09.:-/@%[]~ "\\?#+{}_*\té\ue000')


def judge(name: str) -> Callable[[str], bool]:
    schema = {"format": name, "$schema": "https://json-schema.org/draft/2020-12/schema"}
    return jsonschema_rs.validator_for(schema, validate_formats=True).is_valid


def accepts(name: str, text: str) -> bool:
    language = format_language(name)
    assert language is not None
    return language.accepts(spell_string(text)[1:-1].encode())


@cache
def examples(name: str) -> list[tuple[str, bool]]:
    if not SUITE.is_dir():
        pytest.skip("the JSON-Schema-Test-Suite is not beside the repository (shared/data/json-schema-test-suite)")
    groups = json.loads((SUITE / f"{name}.json").read_text(encoding="utf-8"))
    return [
        (test["data"], test["valid"]) for group in groups for test in group["tests"] if isinstance(test["data"], str)
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_official_examples(name: str) -> None:
    for text, valid in examples(name):
        if valid or FORMATS[name].exact:
            assert accepts(name, text) == valid, text


@pytest.mark.parametrize("name", FORMATS)
def test_random_changes_are_taken_as_the_judge_takes_them(name: str) -> None:
    valid, chance = judge(name), random.Random(name)
    pool = [text for text, _ in examples(name)] + MORE.get(name, [])
    for text in (changed(pool, chance) for _ in range(1500)):
        if valid(text):
            assert accepts(name, text), text
        elif FORMATS[name].exact:
            assert not accepts(name, text), text


def changed(pool: list[str], chance: random.Random) -> str:
    text = chance.choice(pool)
    for _ in range(chance.randint(1, 3)):
        place, other = chance.randint(0, len(text)), chance.choice(pool)
        cut, piece = (
            chance.choice([0, 0, 1]),
            chance.choice(["", chance.choice(TELLING), other[chance.randint(0, len(other)) :]]),
        )
        text = text[:place] + piece + text[place + cut :]
    return text


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("regex", "idn-hostname", "idn-email")])
def test_texts_of_the_automaton_pass_the_judge(name: str) -> None:
    """Walks at random; of the formats that the judge has to see, most."""
    valid, chance, language = judge(name), random.Random(name), format_language(name)
    assert language is not None
    texts = []
    while len(texts) < 200:
        state, text = 0, b""
        while not (state in language.finals and (not language.rows[state] or chance.random() < 0.2)):
            low, high, state = chance.choice(language.rows[state])
            text += bytes([chance.randint(low, high)])
        texts.append(json.loads(b'"' + text + b'"'))
    passed = sum(map(valid, texts))
    assert passed == 200 if FORMATS[name].exact else 80 <= passed <= 200


def test_leap_years() -> None:
    for year in range(10_000):
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        assert accepts("date", f"{year:04}-02-29") == leap
        assert accepts("date", f"{year:04}-02-28")


def test_leap_seconds() -> None:
    assert accepts("time", "23:59:60Z") and accepts("date-time", "2016-12-31T23:59:60.5z")
    assert not accepts("time", "23:58:60Z") and not accepts("date-time", "2016-12-31T22:59:60Z")
    assert accepts("time", "15:59:60-08:00") and judge("time")("15:59:60-08:00")
    assert accepts("time", "15:58:60-08:00") and judged("time"), "wider here, so the judge has to see it"


def test_other_formats_only_annotate() -> None:
    assert format_language("phone") is None and not judged("phone")
    assert [name for name in FORMATS if judged(name)] == [
        "date-time", "time", "email", "idn-email", "hostname", "idn-hostname", "regex",
    ]  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_the_first_draft_is_the_one_in_which_the_judge_starts(name: str) -> None:
    schemas = {
        draft: f"http://json-schema.org/draft-0{draft}/schema#"
        if draft < 2019
        else "https://json-schema.org/draft/2019-09/schema"
        for draft in (4, 6, 7, 2019)
    }
    enforced = [
        draft
        for draft, uri in schemas.items()
        if not jsonschema_rs.validator_for({"format": name, "$schema": uri}, validate_formats=True).is_valid("\x01 ~(")
    ]
    assert enforced == [draft for draft in schemas if draft >= FORMATS[name].since]


@pytest.mark.parametrize(
    ("name", "valid", "invalid", "left"),
    [  # `left`: what the automaton lets pass and the judge does not
        ("date-time", "2024-02-29T23:59:60Z", "2023-02-29T00:00:00Z", "2024-01-01T22:58:60+05:00"),
        ("date", "2024-02-29", "2023-02-29", None),
        ("time", "23:59:60Z", "24:00:00Z", "15:58:60-08:00"),
        ("duration", "P1Y2M3DT4H", "P1D2H", None),
        ("email", "a.b@c.d", "a@b@c", "a@" + ".".join(["b" * 60] * 5)),
        ("idn-email", "é@é.b", "é", "a@-"),
        ("hostname", "a-b.c", "-a", ".".join(["b" * 60] * 5)),
        ("idn-hostname", "é.b", "a b", "-"),
        ("ipv4", "127.0.0.1", "127.0.0.256", None),
        ("ipv6", "1::2:3.4.5.6", "1::2::3", None),
        ("uri", "http://a/b?c#d", "/a", None),
        ("uri-reference", "../a?b", "a b", None),
        ("iri", "http://é/ü", "é", None),
        ("iri-reference", "é/ü", "é ü", None),
        ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380", None),
        ("uri-template", "{+a,b:3}x", "{", None),
        ("json-pointer", "/a~1b/0", "a", None),
        ("relative-json-pointer", "1/a", "/a", None),
        ("regex", "^a(b|c)$", None, "("),
    ],
)
def test_each_format_of_a_schema_is_enforced_as_the_documentation_says(name, valid, invalid, left) -> None:
    language = compile_schema({"type": "string", "format": name})
    [use] = [use for use in language.keywords if use.keyword == "format"]
    assert use.enforced == ("validator" if left else "automaton")
    taken = {text: language.acceptor.accepts(spell_string(text).encode()) for text in (valid, invalid, left) if text}
    assert taken == {text: text != invalid for text in taken}
    assert {text: language.judge.accepts(text) for text in taken} == {text: text == valid for text in taken}
    free = compile_schema({"type": "string", "format": name}, formats=False)
    assert all(free.acceptor.accepts(spell_string(text).encode()) and free.judge.accepts(text) for text in taken)


def test_the_table_of_formats_is_whole() -> None:
    marks = test_each_format_of_a_schema_is_enforced_as_the_documentation_says.pytestmark
    assert {row[0] for row in marks[0].args[1]} == set(FORMATS)
