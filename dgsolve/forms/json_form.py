"""JSON by a schema or a type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from dgsolve.errors import DgsolveError, SchemaError
from dgsolve.forms.base import Form, Span, TextFault
from dgsolve.language import json_text
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.json_schema.dialect import dialect_of
from dgsolve.language.json_schema.judge import Judge
from dgsolve.language.json_schema.language import JsonLanguage, KeywordUse, compile_schema
from dgsolve.language.json_schema.schema_faults import refuse_strange
from dgsolve.language.json_schema.schema_size import refuse_endless
from dgsolve.language.json_schema.spelling import spell
from dgsolve.output_types import OutputType


class JsonForm(Form):
    """JSON that fits a schema and passes the type's own validators."""

    def __init__(self, output: OutputType, *, lenient: bool = False, formats: bool = True) -> None:
        refuse_strange(output.schema)
        self.output, self.lenient, self.formats, self.name = output, lenient, formats, output.name

    @property
    def json_schema(self) -> Any:
        """The schema, as it was given or as the type has it."""
        return self.output.schema

    @cached_property
    def judge(self) -> Judge:
        """Of the schema, without what `lenient` dropped."""
        return self.language.judge if self.lenient else Judge(self.output.schema, formats=self.formats)

    @cached_property
    def language(self) -> JsonLanguage:
        """The schema as a regular language; built on first use."""
        return compile_schema(self.output.schema, lenient=self.lenient, formats=self.formats)

    @property
    def keywords(self) -> tuple[KeywordUse, ...]:
        """Keyword by keyword, what enforces it."""
        return self.language.keywords

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know before using it."""
        return self.language.warnings

    @property
    def instruction(self) -> str:
        schema = self.output.schema
        keys = list(schema.get("properties", ())) if isinstance(schema, dict) else []
        return f"Answer with JSON only, with the keys {', '.join(keys)}." if keys else "Answer with JSON only."

    @property
    def key(self) -> str:
        return json.dumps([self.output.schema, self.lenient, self.formats], default=str)

    def acceptor(self) -> Acceptor:
        return self.language.acceptor

    def faults(self, text: str) -> tuple[TextFault, ...]:
        try:
            value = json_text.parse(text)
        except json_text.JsonTextError as error:
            return (TextFault(str(error)),)
        found = [(fault.pointer, fault.message) for fault in self.judge.faults(value)]
        spans = self.spans(text)
        return tuple(
            TextFault(message, pointer, spans.get(pointer)) for pointer, message in found or self.output.faults(text)
        )

    def spans(self, text: str) -> dict[str, Span]:
        return json_text.spans(text)

    def read(self, text: str) -> Any:
        return self.output.parse(text)

    def dumps(self, value: Any) -> str:
        """The text as it would be generated: keys in the schema's order, one space after ':' and ','."""
        return spell(self.language.arrange(value))

    def accepts(self, text: str) -> bool:
        try:
            value = json_text.parse(text)
            spelled = self.dumps(value)
        except DgsolveError:
            return False
        return self.language.acceptor.accepts(spelled.encode()) and not self.faults(spelled)

    def filled(self, values: Any) -> JsonForm:
        """The form with the given parts of an object fixed: every field of `values` holds what it has there."""
        refuse_endless(values)
        schema = _with(self.output.schema, _fixing(values))
        return JsonForm(replace(self.output, schema=schema), lenient=self.lenient, formats=self.formats)


_DEEPEST = 100  # objects of fill=; a schema as deep as that is refused anyway
_NO_ASSERTIONS = ("$schema", "$id", "id", "$defs", "definitions", "$anchor")


def _with(schema: Any, more: dict[str, Any]) -> Any:
    """The schema and `more` at once; what the schema refers to inside itself stays where it is."""
    if not isinstance(schema, Mapping):
        return {"allOf": [schema, more]}
    rest = dict(schema)
    whole = [{"$ref": rest.pop("$ref")}] if "$ref" in rest else []
    if whole and dialect_of(schema).draft <= 7:  # nothing beside $ref counts there
        rest = {key: rest[key] for key in _NO_ASSERTIONS if key in rest}
    return {**rest, "allOf": [*rest.get("allOf", []), *whole, more]}


def _fixing(values: Any, depth: int = 0) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        return {"enum": [values]}  # what every draft knows
    if not all(isinstance(key, str) for key in values):
        raise SchemaError("fill= takes an object whose keys are texts", hint='Write fill={"field": value}.')
    if depth == _DEEPEST:
        raise SchemaError(f"fill= has more than {_DEEPEST} objects in each other", hint="Nest less deeply.")
    inner = {key: _fixing(value, depth + 1) for key, value in values.items()}
    return {"type": "object", "properties": inner, "required": list(values)}
