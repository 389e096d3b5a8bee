"""From what a caller asks for to a form."""

from __future__ import annotations

from typing import Any

from dgsolve.forms.base import Form
from dgsolve.forms.json_form import JsonForm
from dgsolve.forms.text_forms import ChoiceForm, RegexForm
from dgsolve.output_types import Choice, OutputType, Regex
from dgsolve.switches import refuse_unswitched


def compile_form(output_type: Any, *, lenient: bool = False, formats: bool = True) -> Form:
    """The form of a pydantic model, type hint, JSON Schema (a dict), `Regex` or `Choice`; a form is its own form.

    `lenient` drops what can be neither built in nor checked, and lists it in `.warnings`; without `formats` the keyword
    `format` is an annotation, as draft 2020-12 has it where nothing else is said. Raises SchemaError.

    >>> compile_form({"type": "integer", "minimum": 3}).accepts("2")
    False
    """
    refuse_unswitched(lenient=lenient, formats=formats)
    if isinstance(output_type, Form):
        return output_type
    if isinstance(output_type, Regex):
        return RegexForm(output_type.pattern)
    if isinstance(output_type, Choice):
        return ChoiceForm(output_type.options)
    return JsonForm(OutputType.of(output_type), lenient=lenient, formats=formats)


def compile(output_type: Any, *, lenient: bool = False, formats: bool = True) -> Form:
    """`compile_form`, with the automaton built at once, so that what is wrong with a schema is told now."""
    form = compile_form(output_type, lenient=lenient, formats=formats)
    form.acceptor()
    return form
