"""The standard formats of JSON Schema, drafts 4 to 2020-12, as languages of what stands between the quotes.

Each holds all that the judge (jsonschema-rs) accepts. `exact` formats hold nothing else; the others are wider, because
the format is not regular or its automaton would be huge, and the judge decides:

    date-time, time         second 60 with a numeric offset, right only where it is 23:59:60 in UTC
    email                   the domain as in hostname
    idn-email               the domain as in idn-hostname
    hostname                the whole length of at most 253, and whether a label xn--... decodes to an allowed one
    idn-hostname            which characters stand where (IDNA 2008), and lengths
    regex                   all of it
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import Edge, concat, intersect, network, star
from dgsolve.language.code_points import ANY, json_string_character
from dgsolve.language.regex import compile_regex


@dataclass(frozen=True)
class Format:
    """Its language, whether that is exact, and the first draft in which the judge enforces it (4, 6, 7 or 2019)."""

    build: Callable[[], Acceptor]
    exact: bool
    since: int


@cache
def format_language(name: str) -> Acceptor | None:
    """What may stand between the quotes of a string of this format, None for a format that only annotates.

    >>> format_language("date").accepts(b"2024-02-29"), format_language("phone")
    (True, None)
    """
    known = FORMATS.get(name)
    return known.build() if known else None


def judged(name: str) -> bool:
    """Whether the language of this format is wider than the format, so that the judge has to see the string."""
    return name in FORMATS and not FORMATS[name].exact


_PERCENT = "%[0-9A-Fa-f]{2}"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
_GROUP = "[0-9A-Fa-f]{1,4}"
_HOUR_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_UNRESERVED = r"A-Za-z0-9\-._~"
_DELIMITERS = "!$&'()*+,;="  # RFC 3986, sub-delims
_BEYOND = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(  # RFC 3987, ucschar
    f"{chr(max(plane * 0x10000, 0xE1000 * (plane == 14)))}-{chr(plane * 0x10000 + 0xFFFD)}" for plane in range(1, 15)
)
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"  # RFC 3987, iprivate


def _text(pattern: str) -> Acceptor:
    return compile_regex(f"^(?:{pattern})$", json_string_character)


def _date() -> str:
    long, short = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])", "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    days = f"{long}|{short}|02-(?:0[1-9]|1[0-9]|2[0-8])"
    fourth = "0[48]|[2468][048]|[13579][26]"
    leap = f"[0-9]{{2}}(?:{fourth})|(?:00|{fourth})00"
    return f"(?:[0-9]{{4}}-(?:{days})|(?:{leap})-02-29)"


def _time() -> str:
    fraction, offset = r"(?:\.[0-9]+)?", f"[+\\-]{_HOUR_MINUTE}"
    usual = f"{_HOUR_MINUTE}:[0-5][0-9]{fraction}(?:[Zz]|{offset})"
    return f"(?:{usual}|23:59:60{fraction}[Zz]|{_HOUR_MINUTE}:60{fraction}{offset})"


def _duration() -> str:
    days = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
    time = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
    return f"P(?:[0-9]+W|{days}(?:{time})?|{time})"


@cache
def _ipv6() -> Acceptor:
    """RFC 3986, IPv6address: eight groups, or fewer around one `::`; the last two may be an IPv4 address."""
    group, more, double, colon, gap = map(_text, (_GROUP, f"{_GROUP}:", _IPV4, ":", "::"))
    end = 30
    edges: list[Edge] = [(0, 10, gap), (6, end, double), (7, end, group)]
    edges += [(count, count + 1, more) for count in range(7)]  # 0 to 7: so many groups, no `::` yet
    edges += [(count, 10 + count, colon) for count in range(1, 8)]
    for count in range(7):
        for node in (10 + count, 20 + count):  # 10 to 17: so many groups, then `::`; 20 to 26: `::` and groups after it
            edges.append((node, end, group))
            edges += [(node, 21 + count, more), (node, end, double)] if count < 6 else []
    return network(edges, 0, [end, *range(10, 18)])


def _reference(beyond: str, private: str, relative: bool) -> Acceptor:
    """A URI or IRI (RFC 3986, 3987), or where `relative` a reference to one."""
    free = f"{_UNRESERVED}{beyond}{_DELIMITERS}"
    char = f"(?:[{free}:@]|{_PERCENT})"
    rest = f"(?:/{char}*)*"
    rooted = f"/(?:{char}+{rest})?"
    edges = [
        (0, 1, _text("[A-Za-z][A-Za-z0-9+\\-.]*:")),
        (1, 2, _text("//")),
        (2, 3, _text(f"(?:(?:[{free}:]|{_PERCENT})*@)?")),
        (3, 4, _text(f"(?:[{free}]|{_PERCENT})*")),
        (3, 4, concat(_text(r"\["), _ipv6(), _text(r"\]"))),
        (3, 4, _text(rf"\[[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_DELIMITERS}:]+\]")),
        (4, 5, _text(f"(?::[0-9]*)?{rest}")),
        (1, 5, _text(f"(?:{rooted}|{char}+{rest})?")),
        (5, 6, _text(rf"(?:\?(?:[{free}:@/?{private}]|{_PERCENT})*)?(?:#(?:[{free}:@/?]|{_PERCENT})*)?")),
    ]
    if relative:
        edges += [(0, 2, _text("//")), (0, 5, _text(f"(?:{rooted}|(?:[{free}@]|{_PERCENT})+{rest})?"))]
    return network(edges, 0, [6])


def _uri_template() -> str:
    """RFC 6570."""
    literal = f"[!#$&-;=?-\\[\\]_a-z~\u0080-\ud7ff\ue000-\U0010ffff]|{_PERCENT}"
    char = f"(?:[A-Za-z0-9_]|{_PERCENT})"
    variable = rf"{char}(?:\.?{char})*(?::[1-9][0-9]{{0,3}}|\*)?"
    return rf"(?:{literal}|\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\}})*"


_POINTER = "(?:/(?:[^~/]|~[01])*)*"  # RFC 6901


@cache
def _hostname() -> Acceptor:
    """RFC 1123, and labels xn--... of RFC 5891; no other label has hyphens in third and fourth place."""
    end, inner = "[A-Za-z0-9]", "[A-Za-z0-9\\-]"
    short = f"{end}(?:{inner}{{0,2}}{end})?"
    long = f"{end}{inner}(?:{end}{inner}|-{end}){inner}{{0,58}}{end}"
    return _dotted(_text(f"{short}|{long}|xn--{inner}{{0,58}}{end}"), "[.]")


@cache
def _idn_hostname() -> Acceptor:
    """Any characters beyond ASCII, and the four full stops of IDNA."""
    label = _text("[A-Za-z0-9\\-\u0080-\u3001\u3003-\uff0d\uff0f-\uff60\uff62-\U0010ffff]+")
    return _dotted(label, "[.\u3002\uff0e\uff61]")


def _dotted(label: Acceptor, dot: str) -> Acceptor:
    return network([(0, 1, label), (1, 0, _text(dot))], 0, [1])


def _email(beyond: str, domain: Acceptor) -> Acceptor:
    """RFC 5321, Mailbox; `beyond`: the characters beyond ASCII that the local part may hold, as in a class."""
    atom = f"[A-Za-z0-9!#$%&'*+\\-/=?^_`{{|}}~{beyond}]+"
    quoted = rf'"(?:[\t !#-\[\]-~{beyond}]|\\[!-~{beyond}])*"'
    local = intersect(_text(rf"{atom}(?:\.{atom})*|{quoted}"), _text(f"[\\t -~{beyond}]{{1,64}}"))
    edges = [
        (0, 1, local),
        (1, 2, _text("@")),
        (2, 4, domain),
        (2, 4, _text(rf"\[{_IPV4}\]")),
        (2, 3, _text(r"\[[Ii][Pp][Vv]6:")),
        (3, 4, concat(_ipv6(), _text(r"\]"))),
    ]
    return network(edges, 0, [4])


FORMATS: dict[str, Format] = {
    "date-time": Format(lambda: _text(f"{_date()}[Tt]{_time()}"), exact=False, since=4),
    "date": Format(lambda: _text(_date()), exact=True, since=4),
    "time": Format(lambda: _text(_time()), exact=False, since=4),
    "duration": Format(lambda: _text(_duration()), exact=True, since=2019),
    "email": Format(lambda: _email("", _hostname()), exact=False, since=4),
    "idn-email": Format(lambda: _email("\u0080-\ud7ff\ue000-\U0010ffff", _idn_hostname()), exact=False, since=4),
    "hostname": Format(_hostname, exact=False, since=4),
    "idn-hostname": Format(_idn_hostname, exact=False, since=7),
    "ipv4": Format(lambda: _text(_IPV4), exact=True, since=4),
    "ipv6": Format(_ipv6, exact=True, since=4),
    "uri": Format(lambda: _reference("", "", relative=False), exact=True, since=4),
    "uri-reference": Format(lambda: _reference("", "", relative=True), exact=True, since=6),
    "iri": Format(lambda: _reference(_BEYOND, _PRIVATE, relative=False), exact=True, since=7),
    "iri-reference": Format(lambda: _reference(_BEYOND, _PRIVATE, relative=True), exact=True, since=7),
    "uuid": Format(lambda: _text("-".join(f"[0-9A-Fa-f]{{{n}}}" for n in (8, 4, 4, 4, 12))), exact=True, since=2019),
    "uri-template": Format(lambda: _text(_uri_template()), exact=True, since=6),
    "json-pointer": Format(lambda: _text(_POINTER), exact=True, since=6),
    "relative-json-pointer": Format(lambda: _text(f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})"), exact=True, since=7),
    "regex": Format(lambda: star(json_string_character(ANY)), exact=False, since=4),
}
