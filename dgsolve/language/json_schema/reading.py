"""Reads the schema at a place into a Node: the one file that knows how the drafts differ in what keywords mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dgsolve.language.json_schema.formats import FORMATS
from dgsolve.language.json_schema.node import FALSE, TRUE, Combination, Node
from dgsolve.language.json_schema.references import References, extend
from dgsolve.language.json_schema.schema_faults import refuse_pattern

TYPES = ("null", "boolean", "integer", "fraction", "string", "array", "object")
PLAIN = ("minimum", "maximum", "multipleOf", "pattern", "format", "uniqueItems", "required")
COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
CHILDREN = ("additionalProperties", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems")
SINCE = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("minContains", "maxContains", "dependentRequired", "dependentSchemas"), 2019),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems", "$recursiveRef"), 2019),
    **dict.fromkeys(("prefixItems", "$dynamicRef"), 2020),
}
UNTIL = {"additionalItems": 2019, "$recursiveRef": 2019}
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
NAMED = (
    *("type", "enum", "properties", "patternProperties", "items", "allOf", "anyOf", "oneOf", "not", "dependencies"),
    *("exclusiveMinimum", "exclusiveMaximum"),
)
KEYWORDS = frozenset(
    (*NAMED, *PLAIN, *COUNTS, *CHILDREN, *REFERENCES, *SINCE, *UNTIL)
)  # all that can ask for something


class Reader:
    """Nodes by place, each read once; without `formats` the keyword `format` is an annotation alone."""

    def __init__(self, references: References, *, formats: bool = True) -> None:
        self.references, self.formats = references, formats
        self.dialect = references.dialect
        made_up: dict[str, dict[str, Any]] = {
            TRUE: {},
            FALSE: {"type": frozenset()},
            **{kind: {"type": frozenset({kind})} for kind in TYPES},
        }
        self.nodes = {place: Node(place, rules) for place, rules in made_up.items()}

    def node(self, place: str) -> Node:
        if place not in self.nodes:
            if place.startswith("="):
                self.nodes[place] = self._shape(place)
            else:
                self.nodes[place] = self._read(place, self.references.at(place))
        return self.nodes[place]

    def keywords(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Those that mean something in this draft, in source order."""
        if "$ref" in schema and self.dialect.lone_reference:
            schema = {"$ref": schema["$ref"]}
        return {keyword: value for keyword, value in schema.items() if self.known(keyword, value)}

    def known(self, keyword: str, value: Any) -> bool:
        """Whether the keyword can mean something in this draft; a format that is not a standard one never does."""
        if keyword == "format":
            return self.formats and value in FORMATS and FORMATS[value].since <= self.dialect.draft
        return SINCE.get(keyword, 0) <= self.dialect.draft <= UNTIL.get(keyword, self.dialect.draft)

    def _read(self, place: str, schema: Any) -> Node:
        if isinstance(schema, bool):
            return Node(place, {} if schema else {"type": frozenset()})
        keywords = self.keywords(schema)
        for pattern in keywords.get("patternProperties", ()):
            refuse_pattern(pattern, place, "patternProperties")
        holds, unknown = [], []
        for keyword, value in keywords.items():
            if keyword in REFERENCES:
                target = self.references.target(place, keyword, value)
                holds += [] if target is None else [target]
                unknown += [keyword] if target is None else []
            elif keyword == "allOf":
                holds += [extend(place, keyword, str(k)) for k in range(len(value))]
        combinations = tuple(self._combinations(place, keywords))
        outline = tuple(dict.fromkeys(self._outline(place, keywords)))
        return Node(place, _rules(place, keywords), tuple(holds), combinations, outline, tuple(unknown))

    def _combinations(self, place: str, keywords: dict[str, Any]) -> Iterator[Combination]:
        for keyword, value in keywords.items():
            below = extend(place, keyword)
            if keyword in ("anyOf", "oneOf"):
                branches = tuple(extend(below, str(k)) for k in range(len(value)))
                yield Combination(keyword, place, keyword, branches)
            elif keyword == "not":
                yield Combination("not", place, keyword, (below,))
            elif keyword == "if":
                ends = (extend(place, end) if end in keywords else TRUE for end in ("then", "else"))
                yield Combination("if", place, keyword, (below, *ends))
            elif keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
                for key, needed in value.items():
                    yield self._dependency(place, keyword, key, needed)

    def _dependency(self, place: str, keyword: str, key: str, needed: Any) -> Combination:
        """Either the key is absent, or it is there and so is what it needs."""
        below = extend(place, keyword, key)
        listed = tuple(needed) if isinstance(needed, list) else (needed,) if isinstance(needed, str) else ()
        absent = Node("?absent " + below, {"properties": {key: FALSE}})
        holds = (below,) if isinstance(needed, (dict, bool)) else ()
        present = Node("?present " + below, {"required": (key, *listed)}, holds)
        self.nodes |= {absent.pointer: absent, present.pointer: present}
        return Combination("anyOf", place, keyword, (absent.pointer, present.pointer))

    def _outline(self, place: str, keywords: dict[str, Any]) -> Iterator[tuple[str, str]]:
        late: list[str] = list(keywords.get("required", ()))
        for keyword, value in keywords.items():
            below = extend(place, keyword)
            if keyword == "properties":
                yield from (("key", key) for key in value)
            elif keyword in REFERENCES:
                target = self.references.target(place, keyword, value)
                yield from () if target is None else [("place", target)]
            elif keyword in ("allOf", "anyOf", "oneOf"):
                yield from (("place", extend(below, str(k))) for k in range(len(value)))
            elif keyword in ("not", "if", "then", "else"):
                yield "place", below
            elif keyword in ("enum", "const"):
                values = value if keyword == "enum" else [value]
                places = [extend(below, str(k)) for k in range(len(values))] if keyword == "enum" else [below]
                yield from (("place", "=" + at) for at, v in zip(places, values, strict=True) if _has_shape(v))
            elif keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
                for key, needed in value.items():
                    late += [key, *(needed if isinstance(needed, list) else ())]
                    if isinstance(needed, (dict, bool)):
                        yield "place", extend(below, key)
            elif keyword == "propertyNames":
                yield "names", below
        yield from (("late", key) for key in late)

    def _shape(self, place: str) -> Node:
        """The keys and items of a value that enum or const names: they take part in the order of keys."""
        value = self.references.at(place[1:])
        if isinstance(value, dict):
            inner = {key: extend(place, key) if _has_shape(part) else TRUE for key, part in value.items()}
            return Node(place, {"properties": inner}, outline=tuple(("key", key) for key in value))
        parts = [extend(place, str(k)) if _has_shape(part) else TRUE for k, part in enumerate(value)]
        while parts and parts[-1] == TRUE:
            parts.pop()
        return Node(place, {"prefixItems": tuple(parts)})


def _has_shape(value: Any) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _rules(place: str, keywords: dict[str, Any]) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    for keyword, value in keywords.items():
        if keyword in _READINGS:
            rules[keyword] = _READINGS[keyword](place, value)
        elif keyword in PLAIN:
            rules[keyword] = tuple(value) if isinstance(value, list) else value
        elif keyword in CHILDREN:
            rules[keyword] = extend(place, keyword)
        elif keyword in COUNTS or (keyword in ("minContains", "maxContains") and "contains" in keywords):
            rules[keyword] = int(value)  # it may be written 2.0
    _read_items(place, keywords, rules)
    _read_exclusive(keywords, rules)
    return rules


def _read_items(place: str, keywords: dict[str, Any], rules: dict[str, Any]) -> None:
    if isinstance(keywords.get("items"), list):
        rules["prefixItems"] = tuple(extend(place, "items", str(k)) for k in range(len(keywords["items"])))
        if "additionalItems" in keywords:
            rules["items"] = extend(place, "additionalItems")
    elif "items" in keywords:
        rules["items"] = extend(place, "items")


def _read_exclusive(keywords: dict[str, Any], rules: dict[str, Any]) -> None:
    """Draft 4 says with a boolean whether the bound itself is out."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        value = keywords.get(exclusive)
        if value is True and bound in rules:
            rules[exclusive] = rules[bound]
        elif value is not None and not isinstance(value, bool):
            rules[exclusive] = value


def _types(place: str, value: str | list[str]) -> frozenset[str]:
    named = {value} if isinstance(value, str) else set(value)
    return frozenset((named - {"number"}) | ({"integer", "fraction"} if "number" in named else set()))


def _places(place: str, keyword: str) -> Callable[[dict[str, Any]], dict[str, str]]:
    return lambda value: {key: extend(place, keyword, key) for key in value}


_READINGS: dict[str, Callable[[str, Any], Any]] = {
    "type": _types,
    "enum": lambda place, value: tuple(value),
    "const": lambda place, value: (value,),
    "properties": lambda place, value: _places(place, "properties")(value),
    "patternProperties": lambda place, value: _places(place, "patternProperties")(value),
    "prefixItems": lambda place, value: tuple(extend(place, "prefixItems", str(k)) for k in range(len(value))),
}
