"""The JSON Schema of grid files, made from what rules and kinds declare."""

from __future__ import annotations

from dataclasses import MISSING, Field
from typing import Any

from dgsolve.grid_files import keys
from dgsolve.grid_kinds import GridKind, grid_kinds
from dgsolve.rules import Rule, rule_kinds
from dgsolve.rules.parameters import Parameter

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def file_schema() -> dict[str, Any]:
    """What one grid may say, in TOML or JSON."""
    rules = {"type": "array", "items": {"oneOf": [_rule(kind) for kind in rule_kinds().values()]}}
    own = {"grid": {"$ref": "#/$defs/grid"}, "rule": {"$ref": "#/$defs/rules"}, **keys.TOP}
    plain = {"type": "object", "properties": own, "required": ["grid"], "additionalProperties": False}
    return {
        "$schema": DIALECT,
        "title": "A grid with rules, as dgsolve grid reads it",
        "anyOf": [plain, *(_kind(kind) for kind in grid_kinds().values())],
        "$defs": {"grid": _grid(), "rules": rules},
    }


def _grid() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": keys.GRID,
        "required": ["values"],
        "anyOf": [{"required": ["rows", "cols"]}, {"required": ["cells"]}],
        "additionalProperties": False,
    }


def _rule(kind: type[Rule]) -> dict[str, Any]:
    declared = {name: _declared(*pair) for name, pair in kind.parameters().items()}
    return {
        "title": kind.kind,
        "description": _first_line(kind),
        "type": "object",
        "properties": {"type": {"const": kind.kind}, **keys.SCOPES, **declared},
        "required": ["type"],
        "anyOf": [{"required": [scope]} for scope in keys.SCOPES],
        "additionalProperties": False,
    }


def _kind(kind: type[GridKind]) -> dict[str, Any]:
    declared = {name: _declared(*pair) for name, pair in kind.options().items()}
    own = {"kind": {"const": kind.kind}, "rule": {"$ref": "#/$defs/rules"}, **keys.TOP, **declared}
    return {
        "title": kind.title,
        "description": _first_line(kind),
        "type": "object",
        "properties": own,
        "required": ["kind", *kind.required()],
        "additionalProperties": False,
    }


def _declared(declared: Field[Any], parameter: Parameter) -> dict[str, Any]:
    default = {} if declared.default in (MISSING, None, ()) else {"default": _plain(declared.default)}
    return {"description": declared.metadata["words"], **parameter.schema(), **default}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _first_line(kind: type) -> str:
    """The first paragraph of what its class says, on one line."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())
