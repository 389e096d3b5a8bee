"""JSON by a schema or a type."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from dgsolve.errors import DgsolveError, FillError, SchemaError, UnsatisfiableSchemaError
from dgsolve.forms.base import Form, Span, TextFault
from dgsolve.forms.filling import ANYTHING, alone, given_parts, parts, with_given
from dgsolve.language import json_text
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.json_schema.copying import plain
from dgsolve.language.json_schema.dialect import subschemas
from dgsolve.language.json_schema.fault_words import short_json
from dgsolve.language.json_schema.judge import Judge
from dgsolve.language.json_schema.language import JsonLanguage, KeywordUse, compile_schema
from dgsolve.language.json_schema.schema_faults import refuse_strange
from dgsolve.language.json_schema.spelling import spell
from dgsolve.output_types import OutputType

MOST_TRIED = 32  # parts of what is given, each by a compilation, to find one that cannot be


class JsonForm(Form):
    """JSON that fits a schema and passes the type's own validators."""

    def __init__(self, output: OutputType, *, lenient: bool = False, formats: bool = True) -> None:
        refuse_strange(output.schema)
        output = replace(output, schema=plain(output.schema))
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
        return self._compiled(self.output.schema)

    def _compiled(self, schema: Any) -> JsonLanguage:
        return compile_schema(schema, lenient=self.lenient, formats=self.formats)

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

    def filled(self, values: Any) -> FilledForm:
        """The form with the given parts of an object fixed: every field of `values` holds what it has there."""
        return FilledForm(self, values)


class FilledForm(JsonForm):
    """A form, parts of whose value are given; raises FillError for a part that can be none."""

    def __init__(self, form: JsonForm, values: Any) -> None:
        self.form, self.given = form, given_parts(values)
        output = replace(form.output, schema=with_given(form.output.schema, self.given))
        super().__init__(output, lenient=form.lenient, formats=form.formats)

    @cached_property
    def language(self) -> JsonLanguage:
        try:
            return super().language
        except UnsatisfiableSchemaError as error:
            raise self._misfit() from error

    @property
    def instruction(self) -> str:
        return self.form.instruction

    def gives(self, pointer: str) -> bool:
        """Whether all of the value at a place is given."""
        whole = (json_text.json_pointer(path) for path, _ in parts(self.given))
        return any(pointer == place or pointer.startswith(f"{place}/") for place in whole)

    def _misfit(self) -> SchemaError:
        """What is wrong with what is given; raises the schema's own error where no value fits it anyway."""
        _ = self.form.language
        faulted = {fault.pointer: fault.message for fault in self.form.judge.faults(self.given)}
        suspects = sorted(parts(self.given), key=lambda part: json_text.json_pointer(part[0]) not in faulted)
        for path, part in suspects[:MOST_TRIED]:
            if not self._possible(alone(path, part)):
                return self._not_there(path, part, faulted.get(json_text.json_pointer(path)))
        return FillError("its parts do not fit all at once", hint="Give fewer of them.")

    def _not_there(self, path: tuple[str, ...], part: Any, said: str | None) -> FillError:
        for deep in range(1, len(path) + 1):
            if not self._possible(alone(path[: deep - 1], {path[deep - 1]: ANYTHING})):
                pointer = json_text.json_pointer(path[:deep])
                hint = self._key_instead(path[deep - 1])
                return FillError(f"the output has no {path[deep - 1]!r} there", pointer=pointer, hint=hint)
        pointer = json_text.json_pointer(path)
        said = said or f"{pointer} cannot be {short_json(part)}"
        words = said.removeprefix(f"{pointer} ").removeprefix("the value ")
        hint = "Give a value that the schema allows there, or leave it out."
        if isinstance(part, list):
            hint = "A list is given whole, with every part of its items; or leave it out."
        if isinstance(part, str) and part.lstrip().startswith(("{", "[")):
            hint = "Give the value itself, not its text: json.loads(...)."
        return FillError(words, pointer=pointer, hint=hint)

    def _key_instead(self, key: str) -> str:
        known = _keys(self.form.output.schema)
        if key in known:
            return "The schema has it in another part, or forbids it here: nest it as the schema does, or leave it out."
        spelled = {name.casefold(): name for name in known}  # many an alias differs in its capitals alone
        near = get_close_matches(key.casefold(), spelled, 1)
        return f"Write {spelled[near[0]]!r}." if near else "Leave it out."

    def _possible(self, given: Any) -> bool:
        try:
            self._compiled(with_given(self.form.output.schema, given))
        except UnsatisfiableSchemaError:
            return False
        return True


def _keys(schema: Any) -> set[str]:
    """All keys that a schema declares anywhere."""
    found, stack = set[str](), [schema]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            found |= set(here.get("properties", ()))
            stack += [inner for _, inner in subschemas(here)]
    return found
