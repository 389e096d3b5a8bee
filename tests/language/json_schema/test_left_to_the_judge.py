"""What stays in the automaton of a combination that is too large for it."""

from __future__ import annotations

from typing import Any

from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.json_schema.limits import Limits


def _thing(number: int) -> dict[str, Any]:
    keys = {f"k{number}{letter}": {"type": "string", "maxLength": 30} for letter in "abcdef"}
    return {"type": "object", "properties": keys}


def test_a_union_that_is_too_large_keeps_the_types_of_its_branches() -> None:
    schema = {"anyOf": [*map(_thing, range(4)), {"type": "null"}]}
    language = compile_schema(schema, limits=Limits(combined=400))
    assert [use.enforced for use in language.keywords if use.keyword == "anyOf"] == ["validator"]
    assert language.acceptor.accepts(b"null") and language.acceptor.accepts(b'{"k0a": 3}')
    assert not any(map(language.acceptor.accepts, (b'"a"', b"3", b"3.5", b"[]", b"true")))


def test_where_a_branch_takes_every_type_so_does_the_rest() -> None:
    schema = {"anyOf": [*map(_thing, range(4)), {"minLength": 1}]}
    language = compile_schema(schema, limits=Limits(combined=400))
    assert all(map(language.acceptor.accepts, (b"null", b"{}", b'"a"', b"3", b"3.5", b"[]", b"true")))
