"""Keyword by keyword, what enforces a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dgsolve.language.json_schema.compiled import Loose
from dgsolve.language.json_schema.formats import FORMATS
from dgsolve.language.json_schema.reading import KEYWORDS, Reader, known

Enforced = Literal["automaton", "validator", "annotation", "dropped"]


@dataclass(frozen=True)
class KeywordUse:
    """One keyword of the schema at `pointer`, and what enforces it; an annotation asks for nothing."""

    pointer: str
    keyword: str
    enforced: Enforced
    note: str = ""


def keyword_uses(reader: Reader, loose: Iterable[Loose], dropped: Iterable[KeywordUse]) -> tuple[KeywordUse, ...]:
    """All keywords of all subschemas that take part, in the order of their places."""
    judged = {(part.pointer, part.keyword): part.note for part in loose}
    places = [place for place in reader.nodes if not place or place.startswith("/")]
    uses = [use for place in places for use in _uses(reader, place, judged)]
    return tuple(sorted([*uses, *dropped], key=lambda use: use.pointer))


def _uses(reader: Reader, place: str, judged: dict[tuple[str, str], str]) -> Iterator[KeywordUse]:
    schema = reader.references.at(place)
    if not isinstance(schema, dict):
        return
    meant = reader.keywords(schema)
    for keyword, value in schema.items():
        if keyword not in meant or keyword not in KEYWORDS:
            yield KeywordUse(place, keyword, "annotation", _silence(reader, keyword, value, schema))
        elif (place, keyword) in judged:
            yield KeywordUse(place, keyword, "validator", judged[place, keyword])
        else:
            yield KeywordUse(place, keyword, "automaton")


def _silence(reader: Reader, keyword: str, value: Any, schema: dict[str, Any]) -> str:
    """Why a keyword that looks as if it asked for something does not; nothing for title and the like."""
    draft = reader.dialect.draft
    if keyword == "format":
        return f"{value!r} is no standard format" if value not in FORMATS else f"{value!r} is newer than draft {draft}"
    if keyword not in KEYWORDS:
        return ""
    if not known(keyword, value, reader.dialect):
        return f"means nothing in draft {draft}"
    return f"ignored beside $ref in draft {draft}" if "$ref" in schema else ""
