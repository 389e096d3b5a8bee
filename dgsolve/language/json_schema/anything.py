"""Any JSON value whose arrays and objects lie at most so deep in each other."""

from __future__ import annotations

from functools import cache

from dgsolve.language.algebra import EMPTY_TEXT, literal, strings
from dgsolve.language.json_schema import numbers
from dgsolve.language.json_schema import strings as json_strings
from dgsolve.language.json_schema.assembly import Part, assemble
from dgsolve.language.json_schema.boolean import united
from dgsolve.language.json_schema.compiled import Graph, Language
from dgsolve.language.json_schema.once import Once
from dgsolve.language.json_schema.punctuation import CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET


@cache
def anything(depth: int) -> Graph:
    """Every value; at depth 0 arrays and objects are empty, at depth 1 they hold scalars and empty ones, and so on."""
    scalars = [strings([b"null", b"true", b"false"]), numbers.number(), json_strings.any_string()]
    return united([*map(Language.of, scalars), any_object(depth), any_array(depth)], Once()).graph


@cache
def any_object(depth: int) -> Language:
    """The objects among them."""
    if not depth:
        return Language.of(literal(b"{}"))
    parts: list[Part] = [(0, 2, OPEN_BRACE), (2, 1, CLOSE_BRACE), (2, 3, EMPTY_TEXT), (3, 4, json_strings.any_string())]
    parts += [(4, 5, COLON), (5, 6, anything(depth - 1)), (6, 3, COMMA), (6, 1, CLOSE_BRACE)]
    return Language(assemble(parts, 0, [1]))


@cache
def any_array(depth: int) -> Language:
    """The arrays among them."""
    if not depth:
        return Language.of(literal(b"[]"))
    parts: list[Part] = [(0, 2, OPEN_BRACKET), (2, 1, CLOSE_BRACKET), (2, 3, EMPTY_TEXT)]
    parts += [(3, 4, anything(depth - 1)), (4, 3, COMMA), (4, 1, CLOSE_BRACKET)]
    return Language(assemble(parts, 0, [1]))
