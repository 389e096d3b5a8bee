"""Which keyword leaves no value, where a schema has none."""

from __future__ import annotations

from dataclasses import replace

from dgsolve.errors import UnsatisfiableSchemaError
from dgsolve.language.json_schema import values
from dgsolve.language.json_schema.builder import Builder, Conjunction
from dgsolve.language.json_schema.group import Place
from dgsolve.language.json_schema.rules import Rules

_BY_TYPE = {
    "integer": ("multipleOf", "exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum"),
    "string": ("pattern", "format", "minLength", "maxLength"),
    "array": ("minItems", "maxItems", "contains", "minContains", "maxContains", "prefixItems", "items"),
    "object": ("minProperties", "maxProperties", "propertyNames", "required"),
}


def explained(builder: Builder, wanted: Conjunction, place: Place) -> UnsatisfiableSchemaError:
    """The error for an empty language, as near to what makes it empty as can be told."""
    if wanted.combinations:
        plain = replace(wanted, combinations=())
        if builder.language(plain, place).empty:
            return explained(builder, plain, place)
        for number, combination in enumerate(wanted.combinations):
            upto = replace(wanted, combinations=wanted.combinations[: number + 1])
            if builder.language(upto, place).empty:
                said = f"no value fits {combination.keyword} together with the rest"
                return _error(said, combination.pointer, combination.keyword)
    rules = Rules(tuple(builder.reader.node(pointer) for pointer in wanted.plain), place)
    return _by_types(rules) or _by_member(builder, rules, place) or _by_bounds(rules)


def _by_types(rules: Rules) -> UnsatisfiableSchemaError | None:
    for node in rules.nodes:
        if node.rules.get("type") == frozenset():
            said, hint = "false lets no value pass", "Write true, or say what the value is."
            return UnsatisfiableSchemaError(said, pointer=node.pointer, hint=hint)
    if rules.types & values.types_of(rules):
        return None
    node = next(node for node in rules.nodes if node.rules.keys() & {"enum", "const", "type"})
    keyword = next(keyword for keyword in ("enum", "const", "type") if keyword in node.rules)
    hint = f"Give {keyword} a value or a type that all rules on this place allow."
    return UnsatisfiableSchemaError("no type of value is left", pointer=node.pointer, keyword=keyword, hint=hint)


def _by_member(builder: Builder, rules: Rules, place: Place) -> UnsatisfiableSchemaError | None:
    """A required key for which there is no value."""
    if rules.types != {"object"}:
        return None
    for node in rules.nodes:
        for key in node.rules.get("required", ()):
            places = [p for other in rules.nodes for p in builder.groups.under_key(other, key)]
            inside = builder.down(place, place.group.child(key))
            if inside is None:
                said = f"the key {key!r} must be there, and its value holds another of the same kind, without end"
                hint = f"Take {key!r} out of required, or let its value be null too."
                return UnsatisfiableSchemaError(said, pointer=node.pointer, keyword="required", hint=hint)
            wanted = builder.conjunction(places)
            if builder.language(wanted, inside).empty:
                return explained(builder, wanted, inside)
    return None


def _by_bounds(rules: Rules) -> UnsatisfiableSchemaError:
    for keyword in ("enum", "const"):
        for node in rules.nodes:
            if keyword in node.rules:
                said = "none of its values fits the rest"
                return _error(said, node.pointer, keyword)
    for kind, keywords in _BY_TYPE.items():
        for keyword in keywords if kind in rules.types else ():
            for node in rules.nodes:
                if keyword in node.rules:
                    said = f"no {kind} fits {keyword} together with {_rest(rules, keyword)}"
                    return _error(said, node.pointer, keyword)
    pointer = rules.nodes[0].pointer if rules.nodes else ""
    return UnsatisfiableSchemaError("no value fits", pointer=pointer, hint="Loosen one of the rules on this place.")


def _rest(rules: Rules, keyword: str) -> str:
    return "uniqueItems and the rest" if keyword == "minItems" and any(rules.all("uniqueItems")) else "the rest"


def _error(said: str, pointer: str, keyword: str) -> UnsatisfiableSchemaError:
    hint = f"Loosen {keyword}, or what else must hold on the same place."
    return UnsatisfiableSchemaError(said, pointer=pointer, keyword=keyword, hint=hint)
