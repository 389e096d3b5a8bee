"""ECMA-262 regular expressions as automata over bytes."""

from dgsolve.language.regex.building import compile_regex
from dgsolve.language.regex.errors import IrregularError, RegexError

__all__ = ["IrregularError", "RegexError", "compile_regex"]
