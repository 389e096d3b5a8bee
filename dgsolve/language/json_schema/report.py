"""Keyword by keyword, what enforces a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dgsolve.language.json_schema.compiled import Loose
from dgsolve.language.json_schema.dialect import subschemas
from dgsolve.language.json_schema.formats import FORMATS
from dgsolve.language.json_schema.reading import KEYWORDS, Reader
from dgsolve.language.json_schema.references import extend

Enforced = Literal["automaton", "validator", "annotation", "dropped"]

BESIDE = "ignored beside $ref"
_WITH = {"if": ("if", "then", "else")}  # what is left to the validator together


@dataclass(frozen=True)
class KeywordUse:
    """One keyword of the schema at `pointer`, and what enforces it; an annotation asks for nothing."""

    pointer: str
    keyword: str
    enforced: Enforced
    note: str = ""


def keyword_uses(reader: Reader, loose: Iterable[Loose], dropped: Iterable[KeywordUse]) -> tuple[KeywordUse, ...]:
    """All keywords of all subschemas that take part, in the order of their places."""
    loose = tuple(loose)
    judged = {(part.pointer, word): part.note for part in loose for word in _WITH.get(part.keyword, (part.keyword,))}
    beneath = _beneath(reader, loose)
    places = [place for place in reader.nodes if not place or place.startswith("/")]
    uses = [use for place in places for use in _uses(reader, place, judged, beneath.get(place))]
    return tuple(sorted([*uses, *dropped], key=lambda use: use.pointer))


def _beneath(reader: Reader, loose: Iterable[Loose]) -> dict[str, str]:
    """The places that are left to the validator as a whole, each with the keyword that they hang on."""
    found: dict[str, str] = {}
    stack = [(place, part.keyword) for part in loose for place in (*part.below, *_targets(reader, part))]
    while stack:
        place, keyword = stack.pop()
        if place not in found:
            found[place] = keyword
            stack += [(inner, keyword) for inner in _parts(reader, place)]
    return found


def _targets(reader: Reader, part: Loose) -> list[str]:
    """Where the validator may go from a `$dynamicRef`."""
    if part.keyword != "$dynamicRef":
        return []
    return reader.references.dynamic(reader.references.at(part.pointer)[part.keyword])


def _parts(reader: Reader, place: str) -> Iterator[str]:
    node = reader.node(place)
    yield from node.holds
    yield from (branch for combination in node.combinations for branch in combination.branches)
    if place.startswith("/"):
        schema = reader.references.at(place)
        inner = subschemas(reader.keywords(schema)) if isinstance(schema, dict) else ()
        yield from (extend(place, *steps) for steps, _ in inner if steps[0] not in ("$defs", "definitions"))


def _uses(reader: Reader, place: str, judged: dict[tuple[str, str], str], hangs_on: str | None) -> Iterator[KeywordUse]:
    schema = reader.references.at(place)
    if not isinstance(schema, dict):
        return
    meant = reader.keywords(schema)
    for keyword, value in schema.items():
        if keyword not in meant or keyword not in KEYWORDS:
            yield KeywordUse(place, keyword, "annotation", _silence(reader, keyword, value, schema))
        elif (place, keyword) in judged:
            yield KeywordUse(place, keyword, "validator", judged[place, keyword])
        elif hangs_on is not None:
            yield KeywordUse(place, keyword, "validator", f"inside {hangs_on!r}, which is left to the validator")
        else:
            yield KeywordUse(place, keyword, "automaton")


def _silence(reader: Reader, keyword: str, value: Any, schema: dict[str, Any]) -> str:
    """Why a keyword that looks as if it asked for something does not; nothing for title and the like."""
    draft = reader.dialect.draft
    if keyword == "format":
        if not reader.formats:
            return "formats are taken as annotations"
        return f"{value!r} is no standard format" if value not in FORMATS else f"{value!r} is newer than draft {draft}"
    if keyword not in KEYWORDS:
        return ""
    if not reader.known(keyword, value):
        return f"means nothing in draft {draft}"
    return f"{BESIDE} in draft {draft}" if "$ref" in schema else ""
