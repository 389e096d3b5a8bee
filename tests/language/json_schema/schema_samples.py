"""Small random schemas and values that meet each other often, for comparing the automaton with the judge."""

from __future__ import annotations

from random import Random
from typing import Any

KEYS = ["a", "b", "c", "x1"]
SCALARS = [None, True, False, 0, 1, 2, 3, -1, 1.5, "", "a", "ab", "x1"]


def value(random: Random, depth: int = 2) -> Any:
    if depth == 0 or random.random() < 0.4:
        return random.choice(SCALARS)
    if random.random() < 0.3:
        return [value(random, depth - 1) for _ in range(random.randrange(4))]
    keys = random.sample(KEYS, random.randrange(len(KEYS) + 1))
    return {key: value(random, depth - 1) for key in keys}


def schema(random: Random, depth: int = 2) -> Any:
    """Of all keywords but references; each level has one to three."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(
            [True, False, {}, {"type": "integer"}, {"type": "string"}, {"const": 1}, {"type": ["null", "number"]}]
        )
    made: dict[str, Any] = {}
    for _ in range(random.randint(1, 3)):
        made |= _keyword(random, depth - 1)
    return made


def _keyword(random: Random, depth: int) -> dict[str, Any]:
    def inner() -> Any:
        return schema(random, depth)

    def some(count: int = 3) -> list[Any]:
        return [inner() for _ in range(random.randint(1, count))]

    keys = random.sample(KEYS, random.randint(1, 3))
    small = random.randrange(4)
    return random.choice(
        [
            lambda: {
                "type": random.choice(
                    ["object", "array", "string", "number", ["object", "array"], ["integer", "string"]]
                )
            },
            lambda: {"properties": {key: inner() for key in keys}},
            lambda: {"properties": {key: inner() for key in keys}, "required": keys[:1]},
            lambda: {"required": keys[:2]},
            lambda: {"additionalProperties": inner()},
            lambda: {"patternProperties": {random.choice(["^x", "a", "1$"]): inner()}},
            lambda: {"propertyNames": random.choice([{"maxLength": 1}, {"pattern": "^[a-c]"}, {"enum": ["a", "x1"]}])},
            lambda: {"minProperties": small},
            lambda: {"maxProperties": small},
            lambda: {"dependentRequired": {keys[0]: keys[1:]}},
            lambda: {"dependentSchemas": {keys[0]: inner()}},
            lambda: {"items": inner()},
            lambda: {"prefixItems": some(2)},
            lambda: {"prefixItems": some(2), "items": inner()},
            lambda: {"minItems": small},
            lambda: {"maxItems": small},
            lambda: {"contains": inner(), "minContains": small, "maxContains": 2},
            lambda: {"contains": inner()},
            lambda: {"uniqueItems": True},
            lambda: {"enum": [value(random) for _ in range(random.randint(1, 4))]},
            lambda: {"const": value(random)},
            lambda: {"minimum": small},
            lambda: {"exclusiveMaximum": small},
            lambda: {"multipleOf": random.choice([2, 0.5])},
            lambda: {"maxLength": small},
            lambda: {"pattern": random.choice(["^a", "b$", "[0-9]"])},
            lambda: {"allOf": some()},
            lambda: {"anyOf": some()},
            lambda: {"oneOf": some()},
            lambda: {"not": inner()},
            lambda: {"if": inner(), "then": inner(), "else": inner()},
            lambda: {"if": inner(), "then": inner()},
            lambda: {"unevaluatedProperties": inner()},
            lambda: {"unevaluatedItems": inner()},
        ]
    )()
