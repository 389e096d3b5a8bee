"""Arrays of different items that come from few scalars: how many there can be, and which are not used yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import EMPTY_TEXT, Edge, network, strings
from dgsolve.language.few_texts import few_texts
from dgsolve.language.json_schema.compiled import Language
from dgsolve.language.json_schema.punctuation import CLOSE_BRACKET, COMMA, OPEN_BRACKET
from dgsolve.language.json_schema.spelling import spell
from dgsolve.language.json_text import parse
from dgsolve.language.size_limit import TooLargeError

MOST = 1_000  # texts of an item
LARGEST = 5_000  # states of an item whose texts are looked at

Values = tuple[tuple[str, Acceptor], ...]  # each value in its one spelling, and all its texts
Used = frozenset[str]


@dataclass(frozen=True)
class Unique:
    """`values[i]` are those that may stand at item i; the last stands for all later ones."""

    values: tuple[Values, ...]

    @property
    def most(self) -> int:
        """There are no more items than this, each of another value."""
        return len({value for values in self.values for value, _ in values})

    def arrays(self, fewest: int, most: int, limit: int) -> Acceptor:
        """Their texts; TooLargeError where to know which values are used takes more than about `limit` states."""
        edges, size = list[Edge](), 0
        for edge in self._edges(fewest, most):
            edges.append(edge)
            size += len(edge[2])
            if size > limit:
                raise TooLargeError(size)
        return network(edges, 0, [1])

    def _edges(self, fewest: int, most: int) -> Iterator[Edge]:
        """From node 0 to node 1, over the sets of values that were used."""
        nodes: dict[Used, int] = {frozenset(): 2}  # after the last item; one more is before the next
        yield 0, 2, OPEN_BRACKET
        for used in (queue := list(nodes)):
            here = nodes[used]
            if len(used) >= fewest:
                yield here, 1, CLOSE_BRACKET
            if len(used) == most:
                continue
            yield here, here + 1, COMMA if used else EMPTY_TEXT
            for value, texts in self.values[min(len(used), len(self.values) - 1)]:
                if value not in used:
                    then = used | {value}
                    if then not in nodes:
                        nodes[then] = 2 + 2 * len(nodes)
                        queue.append(then)
                    yield here + 1, nodes[then], texts


def unique(items: Sequence[Language]) -> Unique | None:
    """None where an item may have many values, or an array or object, which may be cut off below."""
    found = [_values(item) for item in items]
    values = tuple(some for some in found if some is not None)
    return Unique(values) if len(values) == len(found) else None


def _values(item: Language) -> Values | None:
    texts = few_texts(item.acceptor, MOST) if item.size <= LARGEST else None
    if texts is None or any(text[:1] in (b"[", b"{") for text in texts):
        return None
    values: dict[str, list[bytes]] = {}
    for text in texts:
        values.setdefault(spell(parse(text)), []).append(text)
    return tuple((value, strings(texts)) for value, texts in values.items())
