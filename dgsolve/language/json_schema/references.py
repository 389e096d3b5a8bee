"""Places of a schema document: JSON pointers, `$id` and anchors, and what a `$ref` means at a place."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from dgsolve.errors import SchemaError, UnsupportedSchemaError
from dgsolve.language.json_schema.dialect import Dialect, subschemas
from dgsolve.language.json_schema.schema_faults import refuse_malformed

_METASCHEMAS = ("http://json-schema.org/draft-", "https://json-schema.org/draft/")


def extend(pointer: str, *steps: str) -> str:
    """The JSON pointer further down: extend("/a", "b/c") is "/a/b~1c"."""
    return pointer + "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def steps_of(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


class References:
    """One schema document by place; a place is a JSON pointer from its root."""

    def __init__(self, document: Any, dialect: Dialect) -> None:
        self.document = document
        self.dialect = dialect
        self._bases: dict[str, str] = {}
        self._resources: dict[str, str] = {"": ""}
        self._anchors: dict[tuple[str, str], str] = {}
        self._dynamic: dict[str, set[str]] = {}
        self._followed: set[str] = set()
        self._index("", document, "")

    def at(self, pointer: str) -> Any:
        """The part of the document at a place; KeyError where there is none."""
        here = self.document
        for step in steps_of(pointer):
            if isinstance(here, dict):
                here = here[step]
            elif isinstance(here, list) and step.isdecimal() and int(step) < len(here):
                here = here[int(step)]
            else:
                raise KeyError(step)
        return here

    def target(self, pointer: str, keyword: str, reference: str) -> str | None:
        """The place that a reference at `pointer` leads to, None where only the validator knows.

        Raises SchemaError where it leads nowhere or to what is no schema, UnsupportedSchemaError for another document.
        """
        if keyword == "$recursiveRef" or (keyword == "$dynamicRef" and self._is_dynamic(reference)):
            return None
        base = self._base(pointer)
        whole = base + reference if reference.startswith("#") else urljoin(base, reference)
        uri, fragment = urldefrag(whole)
        if uri not in self._resources:
            if uri.startswith(_METASCHEMAS):
                return None
            raise UnsupportedSchemaError(
                f"{reference!r} refers to another document ({uri}), and nothing is fetched",
                pointer=pointer,
                keyword=keyword,
                hint="Copy that schema into $defs and refer to it there.",
            )
        found = self._place(uri, unquote(fragment))
        if found is None:
            raise SchemaError(f"{reference!r} leads nowhere in this schema", pointer=pointer, keyword=keyword)
        return found

    def dynamic(self, reference: str) -> list[str]:
        """All places that a `$dynamicRef` may lead to."""
        name = urldefrag(reference)[1]
        return [self._anchors[base, name] for base in sorted(self._dynamic.get(name, ()))]

    def _is_dynamic(self, reference: str) -> bool:
        name = urldefrag(reference)[1]
        return len(self._dynamic.get(name, ())) > 1

    def _base(self, pointer: str) -> str:
        while pointer not in self._bases:
            pointer = pointer.rpartition("/")[0]
        return self._bases[pointer]

    def _place(self, uri: str, fragment: str) -> str | None:
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((uri, fragment))
        place = extend(self._resources[uri], *steps_of(fragment))
        try:
            found = self.at(place)
        except KeyError:
            return None
        if not isinstance(found, (dict, bool)):
            return None
        if place not in self._followed:
            refuse_malformed(found, place, self.dialect)
            self._followed.add(place)
        if place not in self._bases:
            self._index(place, found, self._base(place))
        return place

    def _index(self, pointer: str, schema: Any, base: str) -> None:
        stack = [(pointer, schema, base)]
        while stack:
            place, here, uri = stack.pop()
            if isinstance(here, dict):
                uri = self._identified(place, here, uri)
                stack += [(extend(place, *steps), inner, uri) for steps, inner in subschemas(here)]
            self._bases[place] = uri

    def _identified(self, place: str, schema: dict[str, Any], base: str) -> str:
        """Notes what the schema calls itself; the base URI inside it."""
        if self.dialect.lone_reference and isinstance(schema.get("$ref"), str):
            return base
        name = schema.get(self.dialect.id_keyword)
        if isinstance(name, str):
            uri, fragment = urldefrag(urljoin(base, name))
            if fragment and self.dialect.lone_reference:
                self._anchors[uri or base, fragment] = place
            if uri and not name.startswith("#"):
                base = uri
                self._resources.setdefault(uri, place)
        elif not place:
            self._resources.setdefault(base, place)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = schema.get(keyword)
            if isinstance(anchor, str) and self.dialect.draft >= 2019:
                self._anchors[base, anchor] = place
                if keyword == "$dynamicAnchor":
                    self._dynamic.setdefault(anchor, set()).add(base)
        return base
