"""Patterns against texts, the verdicts worked out from ECMA-262 by hand."""


import pytest

from dgsolve.language.code_points import json_string_character, utf8
from dgsolve.language.json_schema.spelling import spell_string
from dgsolve.language.regex import compile_regex

TABLE: list[tuple[str, list[str], list[str]]] = [
    # where a match may stand
    ("b", ["b", "abc"], ["", "ac"]),
    ("^b", ["b", "bc"], ["ab", "\nb"]),
    ("b$", ["b", "ab"], ["ba", "b\n"]),
    ("^a|b$", ["a", "ax", "xb", "b"], ["xa", "bx", ""]),
    ("^(?:a|b)$", ["a", "b"], ["ab", "ax"]),
    ("(^|,)x", ["x", "a,x", "xa"], ["ax", ""]),
    ("x(,|$)", ["x", "ax", "x,b"], ["xb"]),
    ("a$|^$", ["", "a", "ba"], ["b", "ab"]),
    ("a^b", [], ["ab", "b", ""]),
    ("^^a$$", ["a"], ["aa"]),
    ("", ["", "a"], []),
    ("^|x", ["", "abc"], []),
    ("(?:^a|b)+c", ["ac", "abc", "xbc", "bbc"], ["xac", "aac", "c"]),
    # repeats
    ("^a{2}$", ["aa"], ["a", "aaa"]),
    ("^a{2,}$", ["aa", "aaaa"], ["a"]),
    ("^a{1,2}$", ["a", "aa"], ["", "aaa"]),
    ("^a{0}b$", ["b"], ["ab"]),
    ("^(?:a{2,3}){2}$", ["aaaa", "aaaaa", "aaaaaa"], ["aaa", "a" * 7]),
    ("^(?:a{3}){1,2}$", ["aaa", "a" * 6], ["aaaa", "aaaaa"]),
    ("^(?:a{2,})*$", ["", "aa", "aaa"], ["a"]),
    ("^(?:a*)+?$", ["", "aaa"], ["b"]),
    ("^(?:(?:a|b{2})*?c)??$", ["", "c", "abbc"], ["bc", "a"]),
    ("^(?=a)*b$", ["b"], ["ab"]),
    # characters and classes
    ("^.$", ["a", "é", "🐲", "\t"], ["", "\n", "\r", "\u2028", "\u2029", "ab"]),
    (r"^\d\D$", ["1a", "9߀"], ["߀a", "12"]),
    (r"^\w\W$", ["_é", "Z-"], ["éa", "a_"]),
    (r"^\s\S$", ["\ufeffa", "\u00a0b", "\u2003c", "\v\u180e"], ["\u180ea", "a ", "\x85a"]),
    ("^[]$", [], ["", "a", "]"]),
    ("^[^]$", ["a", "\n", "🐲"], [""]),
    (r"^[a-c\-\]é]$", ["b", "-", "]", "é"], ["d", "\\"]),
    ("^[^a-c]$", ["d", "\n", "🐲"], ["a", ""]),
    (r"^[\w-.]$", ["-", ".", "x"], ["/", ","]),
    (r"^[a-\d]$", ["a", "-", "5"], ["b"]),
    ("^[-a][a-]$", ["-a", "a-"], ["b-"]),
    (r"^[\b]$", ["\b"], ["b"]),
    ("^[[:alpha:]]$", [":]", "a]"], ["b", "a"]),
    ("^[α-ω🐲-🐼]$", ["β", "🐳"], ["b", "🐱🐱"]),
    (r"^\p{Lu}\P{Lu}$", ["Éé", "A🐲"], ["éÉ", "AA"]),
    (r"^\p{Script=Greek}\p{scx=Grek}\p{gc=Nd}$", ["αβ৪", "α\u03425"], ["ab5"]),
    (r"^[\p{Letter}\p{digit}_]+$", ["é৪_"], ["-", ""]),
    (r"^\p{L}\P{L}\p{Cn}$", ["a\U0003ea04\u0378"], ["\U0003ea04aa"]),  # no letter before Unicode 18
    (r"^\p{IDC}\p{ASCII}\P{Any}?$", ["1a"], ["-a"]),
    # escapes
    (r"^\t\n\v\f\r\0$", ["\t\n\v\f\r\0"], ["tnvfr0"]),
    (r"^\cC\cz$", ["\x03\x1a"], ["Cz"]),
    (r"^\x41\u00e9\u{1F432}\uD83D\uDC32$", ["Aé🐲🐲"], ["Aé🐲"]),
    (r"^\uD83D$", [], ["🐲", "\ufffd"]),
    (r"^\-\/\_\@\#\ \.\<\é$", ["-/_@# .<é"], ["-/_@# a<é"]),
    ("^]}{x{,a{,}{1$", ["]}{x{,a{,}{1"], [""]),
    # groups and flags
    ("^(?<year>a)(?:b)(c)$", ["abc"], ["ab"]),
    ("^(?P<year>a)$", ["a"], ["b"]),
    ("(?i)^ÀKß$", ["àkß", "ÀKẞ", "à\u212aß"], ["aks", "àkss"]),
    ("^(?i:a)b$", ["Ab", "ab"], ["aB"]),
    ("^(?i:a(?-i:b))$", ["Ab"], ["AB"]),
    (r"^(?i:[^a]\w\W)$", ["b\u017f-"], ["A--", "b-\u212a"]),
    ("^(?s:.)(?-s:.)$", ["\na"], ["a\n"]),
    ("(?m:^b$)", ["a\nb\r", "b", "a\u2028b"], ["ab", "a\tb"]),
    # word boundaries
    (r"\bfoo\b", ["foo", "a foo!", "éfoo🐲"], ["afoo", "foo_", "fo"]),
    (r"\Bfoo", ["afoo", "_foo"], ["foo", " foo", "éfoo"]),
    (r"^\b$", [], ["", "a"]),
    (r"^\B$", [""], ["a"]),
    (r"^(?:\b|-)+a", ["a", "-a"], ["--", "-"]),
    # look-around
    ("^(?!@@)[@a]+$", ["@", "a@@", "@a"], ["@@", "@@a", ""]),
    (r"^(?=.*[A-Z])(?=.*\d).{3,4}$", ["aB1", "1aBc"], ["ab1", "aBc", "B1", "aaB1a"]),
    ("^(?:(?!ab).)*$", ["", "ba", "aa"], ["ab", "xaby"]),
    ("(?:(?=a).|b)+c", ["ac", "abac", "xbc"], ["xc", "c"]),
    ("a(?=b|$)", ["a", "ab", "xca"], ["ac", ""]),
    ("a(?!b)", ["a", "ac", "aba"], ["ab", "abab"]),
    ("(?<=a)b", ["ab", "cab"], ["b", "cb"]),
    ("(?<=^a+)b", ["ab", "aab"], ["b", "cab"]),
    ("(?<!a)b", ["b", "cb", "abb"], ["ab", "a"]),
    (r"(?<!\\)%$", ["%", "a%"], ["\\%", "%a"]),
    ("^(?!.*(?:--|-$))[a-]+$", ["a", "-a", "a-a"], ["a-", "a--a"]),
    ("(?<=a(?=bc))b", ["abc", "xabc"], ["ab", "abd"]),
    ("(?<=(?<!x)a)b", ["ab", "yab"], ["xab", "b"]),
    ("(?=(?<=a)b)b", ["ab"], ["b"]),
    ("(?!(?!a))", ["a", "ba"], ["", "b"]),
    ("(?<!^a$|b(?!c))$", ["", "bc", "aa"], ["a", "b", "cb"]),
    ("^(?:(?<=^|,)a+(?=,|$),?)*$", ["", "a", "aa,a", "a,"], [",", "a,,a"]),
    ("^(?=a)b|c(?=d)", ["cd"], ["b", "ab", "c"]),
]


@pytest.mark.parametrize(("pattern", "matching", "others"), TABLE)
def test_pattern(pattern: str, matching: list[str], others: list[str]) -> None:
    raw, quoted = compile_regex(pattern, utf8), compile_regex(pattern, json_string_character)
    for text in matching + others:
        assert raw.accepts(text.encode()) == (text in matching), text
        assert quoted.accepts(spell_string(text)[1:-1].encode()) == (text in matching), text


@pytest.mark.parametrize(("pattern", "matching", "others"), TABLE)
def test_anchored_is_between_start_and_end(pattern: str, matching: list[str], others: list[str]) -> None:
    flags = "(?i)" if pattern.startswith("(?i)") else ""
    whole = compile_regex(f"{flags}^(?:{pattern.removeprefix(flags)})$", utf8)
    assert compile_regex(pattern, utf8, anchored=True) == whole


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a+)+$", "a$"),
        ("(x{1,50}){1,50}", "x"),
        ("^(x{1,50}){1,50}$", "^x{1,2500}$"),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "^(?:[a-z]+.)+[A-Z][a-z]+$"),
        (r"\b", r"(?<=^|\W)(?=\w)|(?<=\w)(?=\W|$)"),
        ("^(?:a|b|c)*$", "^[a-c]*?$"),
        ("((((((a*)*)*)*)*)*)*$", ""),
        ("(?=(a|b)*a(a|b){20})x", "[]"),
    ],
)
def test_equal_languages_are_equal_automata(one: str, other: str) -> None:
    if one.startswith("^(x"):
        assert len(compile_regex(one, utf8)) == 2501
    assert compile_regex(one, utf8) == compile_regex(other, utf8)


def test_longest_lifts_higher_bounds() -> None:
    lifted = compile_regex("^a{2,900}b{1,5}$", utf8, longest=100)
    assert lifted == compile_regex("^a{2,}b{1,5}$", utf8)
    assert compile_regex("^a{2,90}$", utf8, longest=100) == compile_regex("^a{2,90}$", utf8)
