"""Texts that match a regular expression, or are one of a few."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dgsolve.errors import SchemaError, UnsupportedSchemaError
from dgsolve.forms.base import Form, TextFault
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import strings
from dgsolve.language.code_points import utf8
from dgsolve.language.regex import RegexError, compile_regex
from dgsolve.language.size_limit import TooLargeError


class _WholeForm(Form):
    """A form that its automaton decides alone."""

    _acceptor: Acceptor

    def acceptor(self) -> Acceptor:
        return self._acceptor

    def accepts(self, text: str) -> bool:
        return self._acceptor.accepts(text.encode())

    def faults(self, text: str) -> tuple[TextFault, ...]:
        return () if self.accepts(text) else (TextFault(f"{text!r} is not {self.name}"),)

    def read(self, text: str) -> str:
        return text


class RegexForm(_WholeForm):
    """Texts that match an ECMA-262 pattern from end to end. Raises SchemaError for one that is none."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.name = pattern, f"a text that matches {pattern}"
        try:
            self._acceptor = compile_regex(pattern, utf8, anchored=True)
        except RegexError as error:
            raise SchemaError(str(error), keyword="pattern") from error
        except TooLargeError as error:
            message = f"the pattern needs {error}: {pattern:.60}"
            raise UnsupportedSchemaError(message, keyword="pattern", hint="Repeat fewer times.") from error
        if self._acceptor.empty:
            raise SchemaError(f"no text matches {pattern!r}", keyword="pattern")

    @property
    def instruction(self) -> str:
        return f"Answer only with a text that matches {self.pattern}."

    @property
    def key(self) -> str:
        return json.dumps(["regex", self.pattern])


class ChoiceForm(_WholeForm):
    """One of the given texts."""

    def __init__(self, options: Sequence[str]) -> None:
        self.options, self.name = tuple(options), f"one of {len(options)} choices"
        try:
            self._acceptor = strings(option.encode() for option in self.options)
        except TooLargeError as error:
            message = f"{self.name} need {error}"
            raise UnsupportedSchemaError(message, keyword="enum", hint="Give fewer or shorter ones.") from error

    @property
    def instruction(self) -> str:
        return f"Answer only with one of these: {', '.join(self.options)}."

    @property
    def key(self) -> str:
        return json.dumps(["choice", *self.options])
