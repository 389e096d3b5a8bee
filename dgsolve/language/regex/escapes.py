r"""What follows a backslash: a character, or a set of them."""

from __future__ import annotations

from dgsolve.language.code_points import CodePoints
from dgsolve.language.regex.classes import DIGITS, SPACES, WORD, either_case, property_set
from dgsolve.language.regex.reader import Reader

_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ADVICE = {
    "A": "write ^",
    "Z": "write $",
    "z": "write $",
    "h": r"write [\t ]",
    "R": r"write (?:\r\n|[\n\r])",
    "a": r"write \x07",
    "e": r"write \x1b",
    "Q": "put a backslash before each character that should stand for itself",
}


def read_escape(reader: Reader, ignore_case: bool) -> CodePoints | str:
    """Reads what follows a backslash, save what differs inside and outside of brackets (`b`, `B`, `k`, digits)."""
    start, letter = reader.at - 1, reader.next
    reader.at += 1
    if letter in "dDwWsS" and letter:
        return named_set(letter, ignore_case)
    if letter in "pP" and letter:
        return _property(reader, letter == "P", ignore_case, start)
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter in "xuc0" and letter:
        return _coded(reader, letter, start)
    if not letter:
        reader.fail("the pattern ends with a lone backslash: write \\\\ for a backslash", start)
    if letter.isascii() and letter.isalnum():
        advice = _ADVICE.get(letter, f"write {letter} for the character itself")
        reader.fail(f"\\{letter} has no meaning in an ECMA-262 regular expression: {advice}", start)
    return letter


def named_set(letter: str, ignore_case: bool) -> CodePoints:
    r"""The set of `\d` `\w` `\s`; of all others where the letter is a capital."""
    found = {"d": DIGITS, "w": WORD, "s": SPACES}[letter.lower()]
    found = either_case(found) if ignore_case and letter in "wW" else found
    return ~found if letter.isupper() else found


def _property(reader: Reader, negative: bool, ignore_case: bool, start: int) -> CodePoints:
    found = reader.match(r"\{([A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\}")
    if not found:
        reader.fail(r"a property is written in braces: \p{L}, \p{Lu}, \p{Script=Greek}, \p{Alphabetic}", start)
    characters = property_set(found[1])
    if characters is None:
        reader.fail(f"there is no Unicode property {found[1]!r}; there are L, Lu, Script=Greek, Alphabetic, ...", start)
    characters = ~characters if negative else characters
    return either_case(characters) if ignore_case else characters


def _coded(reader: Reader, letter: str, start: int) -> str:
    r"""The character of `\x41` `\u0041` `\u{1F432}` `\cA` `\0`."""
    if letter == "0":
        if reader.next.isdigit():
            reader.fail(r"octal escapes are not ECMA-262: write \x07 for \07", start)
        return "\0"
    if letter == "c":
        control = reader.match("[A-Za-z]")
        return chr(ord(control[0]) % 32) if control else reader.fail(r"\c needs a letter: \cA to \cZ", start)
    if letter == "x":
        code = reader.match("[0-9A-Fa-f]{2}")
        return chr(int(code[0], 16)) if code else reader.fail(r"\x needs two hexadecimal digits: \x41", start)
    return _unicode(reader, start)


def _unicode(reader: Reader, start: int) -> str:
    if pair := reader.match(r"([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})"):
        high, low = int(pair[1], 16), int(pair[2], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if code := reader.match(r"([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]+)\}"):
        number = int(code[1] or code[2], 16)
        return chr(number) if number <= 0x10FFFF else reader.fail("there is no character beyond \\u{10FFFF}", start)
    reader.fail(r"\u needs four hexadecimal digits, or some in braces: \u00e9, \u{1F432}", start)
