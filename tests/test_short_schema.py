"""The short form of a schema: every type, what may be absent, and errors with the column."""

import pytest

from dgsolve.errors import UsageError
from dgsolve.language.json_schema.judge import Judge
from dgsolve.short_schema import short_schema

LINE = "name, age int, tags list[str], born date?, kind: a|in progress|c, url url ?, ok:bool, x list[list[float]]?"
VALUE = {"name": "", "age": 3, "tags": ["a"], "kind": "in progress", "url": "https://a.b/", "ok": True}


def test_a_line_of_fields_is_an_object_of_these_keys_alone():
    schema = short_schema(LINE)
    assert list(schema["properties"]) == ["name", "age", "tags", "born", "kind", "url", "ok", "x"]
    assert schema["required"] == ["name", "age", "tags", "kind", "ok"]
    judge = Judge(schema)
    assert judge.accepts(VALUE) and judge.accepts(VALUE | {"born": "2024-02-29", "x": [[1.5]]})
    wrong = [("age", 1.5), ("tags", "a"), ("born", "2023-02-29"), ("kind", "d"), ("url", "a b"), ("ok", 1), ("more", 1)]
    for key, value in wrong:
        assert not judge.accepts(VALUE | {key: value}), key


def test_every_type():
    schema = short_schema("a str, b int, c float, d bool, e date, f datetime, g email, h url")
    judge = Judge(schema)
    good = {"a": "x", "b": 1, "c": 1.5, "d": False, "e": "2024-01-01", "f": "2024-01-01T00:00:00Z"}
    good |= {"g": "a@b.org", "h": "urn:x"}
    assert judge.accepts(good)
    for key in good:
        assert not judge.accepts(good | {key: ["x"]}), key


@pytest.mark.parametrize(
    ("text", "column", "said", "hint"),
    [
        ("", 1, "a field must come here", "name, age int"),
        ("name,, b", 6, "a field must come here", ""),
        ("name, a, name", 10, "the key 'name' a second time", ""),
        ("age it", 5, "'it' is no type", "Did you mean int?"),
        ("a, b  list[foo]", 12, "'foo' is no type", "types: str, int"),
        ("a list[str", 3, "'list[str' is no type", "Did you mean list[str]?"),
        ("a [str]", 3, "'[str]' is no type", "Did you mean list[str]?"),
        ("a integer[]", 3, "'integer[]' is no type", "Did you mean list[int]?"),
        ("a [Thing]", 3, "'[Thing]' is no type", "Did you mean list[str]?"),
        ("a, b Number", 6, "'Number' is no type", "Did you mean float?"),
        ("a array", 3, "'array' is no type", "Did you mean list[str]?"),
        ("a list[]", 3, "'list[]' is no type", ""),
        ("kind: a|b|a", 11, "the choice 'a' a second time", ""),
        ("kind a||b", 8, "an empty choice", ""),
        ("a b c", 3, "'b c' is no type", ""),
        ("ok, a?b", 5, "'a?b' is no field", ""),
    ],
)
def test_errors_name_the_column(text, column, said, hint):
    with pytest.raises(UsageError) as caught:
        short_schema(text)
    assert f"column {column}: {said}" in str(caught.value) and hint in caught.value.hint
