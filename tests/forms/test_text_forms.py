"""Patterns and choices whose automaton is too large."""

import pytest

from dgsolve.errors import UnsupportedSchemaError
from dgsolve.forms import compile_form
from dgsolve.output_types import Choice, Regex


@pytest.mark.parametrize("given", [Regex("a{1,300000}"), Choice(["x" * 1_000_000])])
def test_texts_whose_automaton_is_too_large_are_refused(given):
    with pytest.raises(UnsupportedSchemaError, match="an automaton of more than") as caught:
        compile_form(given)
    assert len(str(caught.value)) < 300 and caught.value.hint
