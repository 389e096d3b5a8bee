r"""The character sets that ECMA-262 names: `\d` `\w` `\s` `.` `\p{..}`, and letters of either case."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from contextlib import suppress
from functools import cache, lru_cache

from dgsolve.language.code_points import CodePoints

DIGITS = CodePoints.between([(0x30, 0x39)])
WORD = CodePoints.between([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
LINE_ENDS = CodePoints.of("\n\r\u2028\u2029")
SPACES = LINE_ENDS | CodePoints.of(
    "\t\v\f \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff"
)
UNASSIGNED = "\u0378"  # by all versions of Unicode
_VALUED = ("General_Category", "gc", "Script", "sc", "Script_Extensions", "scx")


@lru_cache(maxsize=256)
def property_set(name: str) -> CodePoints | None:
    r"""The characters of `\p{name}`, such as `Lu`, `Script=Greek` or `Alphabetic`; None where it is unknown.

    A bare name is a General_Category, else a binary property, else a script (which ECMA-262 writes `Script=`).
    """
    import regex

    if name == "ASCII":
        return CodePoints.between([(0, 0x7F)])
    key, _, value = name.rpartition("=")
    if key and key not in _VALUED:
        return None
    for form in [name] if key else [f"gc={value}", f"{value}=Yes", f"sc={value}"]:
        with suppress(regex.error):
            return _of_known(_found(rf"\p{{{form}}}"))
    return None


def either_case(characters: CodePoints) -> CodePoints:
    """These characters and all that differ from one of them by case alone (simple case folding)."""
    relatives = _relatives()
    return characters | CodePoints.of("".join(relatives[c] for c in relatives if c in characters))


def _found(pattern: str) -> CodePoints:
    import regex

    return CodePoints.between(
        (match.start(), match.end() - 1) for match in regex.finditer(f"{pattern}+", _all_characters())
    )


def _of_known(characters: CodePoints) -> CodePoints:
    """With what Unicode assigned lately taken as unassigned still: what reads the text may not know it yet."""
    return characters | _lately_assigned() if UNASSIGNED in characters else characters - _lately_assigned()


@cache
def _lately_assigned() -> CodePoints:
    """What the regex package has a category for and Python's own tables do not."""
    ranges = _found(r"\P{Cn}").ranges
    new = [code for low, high in ranges for code in range(low, high + 1) if unicodedata.category(chr(code)) == "Cn"]
    return CodePoints.between((code, code) for code in new)


@cache
def _all_characters() -> str:
    """Every code point at its own index."""
    return "".join(map(chr, range(0x110000)))


@cache
def _relatives() -> dict[str, str]:
    """Each character that has others of its kind in another case, with all of them.

    Two single characters have the same simple folding exactly when they have the same full folding.
    """
    kinds: defaultdict[str, str] = defaultdict(str)
    for low, high in _found(r"\p{Changes_When_Casemapped}").ranges:
        for code in range(low, high + 1):
            kinds[chr(code).casefold()] += chr(code)
    return {character: kind for kind in kinds.values() if len(kind) > 1 for character in kind}
