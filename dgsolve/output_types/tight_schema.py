"""JSON Schemas of Python types, tightened so that pydantic accepts what the schema accepts.

pydantic's own schemas are wider than its validation: a UUID4 is any string, dict[int, V] has any keys, a tagged union
may come without the tag where that has a default, a datetime may have the year 0.
"""

from __future__ import annotations

from typing import Any

from pydantic import AliasChoices, AliasPath
from pydantic.json_schema import GenerateJsonSchema

from dgsolve.errors import SchemaError
from dgsolve.language.json_schema.dialect import subschemas
from dgsolve.output_types.tight_formats import NAIVE_DATETIME, TIGHTER, url_pattern

Json = dict[str, Any]

_INTEGER_KEY = r"^(?:0|-?[1-9][0-9]{0,17})$"
_NUMBER_KEY = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,5}[1-9])?$"
_MOST_DIGITS = 28  # of a Decimal whose places are free; beyond it max_digits is left to pydantic


class TightSchema(GenerateJsonSchema):
    """pydantic's generator with what it leaves out; objects are closed where pydantic would drop extra keys."""

    def emit_warning(self, kind: Any, detail: str) -> None:
        """Nothing: a default that JSON cannot write is no concern of the outputs."""

    def generate(self, schema: Any, mode: Any = "validation") -> Json:
        whole = super().generate(schema, mode)
        stack = [whole]
        while stack:
            here = stack.pop()
            _tighten_format(here)
            stack += [inner for _, inner in subschemas(here) if isinstance(inner, dict)]
        return whole

    def model_schema(self, schema: Any) -> Json:
        cls = schema["cls"]
        by_name = cls.model_config.get("validate_by_name") or cls.model_config.get("populate_by_name")
        for name, field in cls.model_fields.items():
            if not by_name and _only_paths(field.validation_alias):
                message = f"field {name!r} of {cls.__name__} is read from an AliasPath, which no schema can say"
                raise SchemaError(message, hint="Give it a plain alias, or validate_by_name=True.")
        return _closed(super().model_schema(schema))

    def dataclass_schema(self, schema: Any) -> Json:
        return _closed(super().dataclass_schema(schema))

    def dataclass_args_schema(self, schema: Any) -> Json:
        given = [field for field in schema["fields"] if field.get("init", True)]
        return super().dataclass_args_schema(schema | {"fields": given})

    def typed_dict_schema(self, schema: Any) -> Json:
        return _closed(super().typed_dict_schema(schema))

    def tagged_union_schema(self, schema: Any) -> Json:
        union = super().tagged_union_schema(schema)
        tag = union.pop("discriminator", {}).get("propertyName")
        if tag is not None:
            for choice in union["oneOf"]:
                choice["required"] = list(dict.fromkeys([*choice.get("required", []), tag]))
        return union

    def dict_schema(self, schema: Any) -> Json:
        keys = self._keys(schema.get("keys_schema") or {"type": "any"})
        values = self.generate_inner(schema.get("values_schema") or {"type": "any"})
        result: Json = {"type": "object", "additionalProperties": values or True}
        if keys:
            result["propertyNames"] = keys
        self.update_with_validations(result, schema, self.ValidationsMapping.object)
        return result

    def decimal_schema(self, schema: Any) -> Json:
        """Numbers alone: the strings that pydantic takes too would have no bounds."""
        bare: Any = {key: value for key, value in schema.items() if key not in ("max_digits", "decimal_places")}
        whole = super().decimal_schema(bare)
        number: Json = next(part for part in whole.get("anyOf", [whole]) if part.get("type") == "number")
        digits, places = schema.get("max_digits"), schema.get("decimal_places")
        if digits is not None and (places is not None or digits <= _MOST_DIGITS):
            counts = [min(places, digits)] if places is not None else range(digits + 1)
            number["anyOf"] = [_digits(digits - count, count) for count in counts]
        elif places is not None:
            number["allOf"] = [{"multipleOf": _power(-places)}]
        return number

    def datetime_schema(self, schema: Any) -> Json:
        if schema.get("tz_constraint") == "naive":
            return {"type": "string", "pattern": NAIVE_DATETIME}
        return super().datetime_schema(schema)

    def url_schema(self, schema: Any) -> Json:
        return super().url_schema(schema) | {"pattern": url_pattern(schema.get("allowed_schemes"))}

    def complex_schema(self, schema: Any) -> Json:
        return self.handle_invalid_for_json_schema(schema, "a complex number")

    def is_subclass_schema(self, schema: Any) -> Json:
        return self.handle_invalid_for_json_schema(schema, "a class")

    def _keys(self, schema: Any) -> Json:
        """What the keys of a dict are as strings, from their core schema."""
        match schema["type"]:
            case "int":
                return {"pattern": _integer_keys(schema)}
            case "float" | "decimal":
                return {"pattern": _NUMBER_KEY}
            case "bool":
                return {"enum": ["true", "false"]}
            case "enum":
                values = [member.value for member in schema["members"]]
                return {"enum": [value if isinstance(value, str) else str(value) for value in values]}
            case "function-before" | "function-after" | "function-wrap" | "nullable":
                return self._keys(schema["schema"])
            case "any":
                return {}
        keys = self.generate_inner(schema)
        return {} if keys == {"type": "string"} else keys


def _closed(schema: Json) -> Json:
    if "properties" in schema:
        schema.setdefault("additionalProperties", False)
    return schema


def _only_paths(alias: Any) -> bool:
    """Whether the alias leads into the value in every form; pydantic then names the field as if it had none."""
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return all(isinstance(choice, AliasPath) and len(choice.path) > 1 for choice in choices)


def _integer_keys(schema: Any) -> str:
    least = max((schema[bound] + more for bound, more in (("ge", 0), ("gt", 1)) if bound in schema), default=-1)
    if least < 0:
        return _INTEGER_KEY
    return r"^(?:0|[1-9][0-9]{0,17})$" if least == 0 else r"^[1-9][0-9]{0,17}$"


def _digits(whole: int, places: int) -> Json:
    limit = _power(whole)
    bounds: Json = {"multipleOf": _power(-places), "exclusiveMinimum": -limit, "exclusiveMaximum": limit}
    return bounds if whole else bounds | {"not": {"const": 0}}  # the 0 of 0 counts as a digit, that of 0.5 not


def _power(exponent: int) -> int | float:
    return 10**exponent if exponent >= 0 else float(f"1e{exponent}")


def _tighten_format(schema: Json) -> None:
    more = TIGHTER.get(schema.get("format", ""))
    if more is None or schema.get("type") != "string":
        return
    del schema["format"]
    if "pattern" in schema and "pattern" in more:
        schema.setdefault("allOf", []).append(dict(more))
    else:
        schema.update(more)
