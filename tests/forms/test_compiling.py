"""Forms of schemas, with and without formats."""

import dgsolve
from dgsolve.forms import compile_form

DATE = {"type": "string", "format": "date"}


def test_formats_are_enforced_unless_they_are_asked_not_to_be():
    strict, free = dgsolve.compile(DATE), dgsolve.compile(DATE, formats=False)
    assert not strict.accepts('"soon"') and strict.accepts('"2024-02-29"')
    assert free.accepts('"soon"') and not free.accepts("3")
    assert compile_form(free) is free


def test_forms_with_and_without_formats_are_kept_apart():
    assert compile_form(DATE).key != compile_form(DATE, formats=False).key
    assert compile_form(DATE, formats=False).filled("soon").accepts('"soon"')
