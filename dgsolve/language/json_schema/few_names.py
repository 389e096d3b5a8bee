"""The names that propertyNames allows, where they are few: then each is a key like those that `properties` declares."""

from __future__ import annotations

from collections.abc import Iterator

from dgsolve.language.few_texts import few_texts
from dgsolve.language.json_schema import strings
from dgsolve.language.json_schema.node import Combination, Node
from dgsolve.language.json_schema.reading import Reader
from dgsolve.language.json_text import parse
from dgsolve.language.size_limit import TooLargeError, at_most

STATES = 5_000  # of a pattern

Names = tuple[str, ...] | None  # None for more than that


class FewNames:
    """Looks up all names that a schema of names may allow, in the order in which it lists them."""

    def __init__(self, reader: Reader, most: int) -> None:
        self._reader, self._most = reader, most
        self._found: dict[str, Names] = {}

    def __call__(self, place: str) -> tuple[str, ...]:
        """No others pass, though of these some may not; nothing where there may be more than `most`."""
        return self._at(place) or ()

    @property
    def any(self) -> bool:
        """Whether some were found so far."""
        return any(self._found.values())

    def _at(self, place: str) -> Names:
        if place not in self._found:
            self._found[place] = None  # for what leads back to itself
            found = [names for names in self._asked(self._reader.node(place)) if names is not None]
            self._found[place] = min(found, key=len, default=None)
        return self._found[place]

    def _asked(self, node: Node) -> Iterator[Names]:
        """By each thing that must hold, the names that it leaves."""
        for keyword in ("enum", "const"):
            if keyword in node.rules:
                yield self._few(name for name in node.rules[keyword] if isinstance(name, str))
        if "pattern" in node.rules:
            yield self._matching(node.rules["pattern"], node.rules.get("maxLength"))
        yield from map(self._at, node.holds)
        yield from map(self._of_any, node.combinations)

    def _of_any(self, combination: Combination) -> Names:
        branches = [self._at(branch) for branch in combination.branches]
        if combination.kind not in ("anyOf", "oneOf") or None in branches:
            return None
        return self._few(name for names in branches for name in names or ())

    def _few(self, names: Iterator[str]) -> Names:
        kept = tuple(dict.fromkeys(names))
        return kept if len(kept) <= self._most else None

    def _matching(self, pattern: str, longest: int | None) -> Names:
        try:
            with at_most(STATES):
                texts = few_texts(strings.string(patterns=[pattern], max_length=longest), self._most)
        except TooLargeError:
            return None
        return None if texts is None else tuple(sorted(map(parse, texts)))
