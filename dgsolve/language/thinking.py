"""A free thought before the text: between two markers, closed in time, and kept apart from the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.errors import UsageError
from dgsolve.language.token_table import TokenTable

if TYPE_CHECKING:
    from dgsolve.language.vocabulary import TextVocabulary

Markers = tuple[str, str]  # what opens a thought, and what closes it
KNOWN: tuple[Markers, ...] = (  # those of model families
    ("<think>", "</think>"),
    ("<|channel>", "<channel|>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
)
HINT = 'Give the model\'s own: thinking_markers=("<think>", "</think>"); each must be one token of it.'


@dataclass(frozen=True)
class Thinking:
    """A thought of at most `tokens` tokens, its markers included; `opening` and `closing` are their token ids."""

    tokens: int
    opening: int
    closing: int

    @classmethod
    def of(cls, tokens: int, vocabulary: TextVocabulary, markers: Markers | None = None) -> Thinking:
        """With the markers given as text, or those that the vocabulary knows.

        Raises UsageError for a number that is none, for a marker that is not one token, and where none is known.
        """
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            raise UsageError(f"thinking={tokens!r}: write how many tokens a thought may have, at least 1")
        if markers is None:
            markers = next((pair for pair in KNOWN if all(name in vocabulary.added for name in pair)), None)
            if markers is None:
                raise UsageError(
                    f"thinking={tokens}: this model's tokenizer has no thinking markers that dgsolve knows", hint=HINT
                )
        if isinstance(markers, str) or len(markers) != 2 or markers[0] == markers[1]:
            raise UsageError(f"thinking_markers={markers!r}: give two different texts", hint=HINT)
        return cls(tokens, *(_marker(name, vocabulary) for name in markers))

    def end(self, values: list[int]) -> int | None:
        """The slot after the marker that closes the thought, None where nothing closes it yet."""
        return values.index(self.closing) + 1 if self.closing in values else None


def _marker(name: str, vocabulary: TextVocabulary) -> int:
    token = vocabulary.added.get(name)
    if token is None:
        raise UsageError(f"thinking_markers: {name!r} is no token of its own in this model's vocabulary", hint=HINT)
    if token in (*vocabulary.end_ids, vocabulary.pad_id):
        raise UsageError(f"thinking_markers: {name!r} ends a text, so it cannot mark a thought", hint=HINT)
    return token


@dataclass(frozen=True, eq=False)
class ThinkingTable(TokenTable):
    """A token table with a thought before its texts: its last `thought_states` states are those of the thought."""

    thought_states: int


def with_thought(table: TokenTable, vocabulary: TextVocabulary, thinking: Thinking) -> ThinkingTable:
    """The opening marker or nothing, any text, the closing marker, then what `table` accepts.

    Any token that is text may stand in the thought, and no special one. The opening marker may be left out, since some
    chat templates end in it. A text's fewest tokens grow by one, the closing marker.
    """
    origins = np.repeat(np.arange(table.states), np.diff(table.offsets))
    edges = np.stack([origins, table.classes, table.targets])  # [3, E]
    token_class = table.token_class.copy()
    for marker in (thinking.opening, thinking.closing):
        edges = _apart(edges, token_class, marker)
    opening, closing = token_class[thinking.opening], token_class[thinking.closing]
    text = np.array([piece is not None for piece in vocabulary.pieces])
    text[[thinking.opening, thinking.closing]] = False
    token_class[text & (token_class < 0)] = token_class.max() + 1
    free = np.unique(token_class[text])
    begin, inside = table.states, table.states + 1
    added = [(begin, opening, inside)]
    for state in (begin, inside):
        added += [(state, closing, table.start), *((state, label, inside) for label in free)]
    edges = np.concatenate([edges, np.array(added).T], axis=1)
    origins, classes, targets = edges[:, np.lexsort((edges[1], edges[0]))]
    nearest = table.distance[table.start] + 1
    return ThinkingTable(
        token_class,
        np.searchsorted(origins, np.arange(inside + 2)).astype(np.int32),
        classes.astype(np.int32),
        targets.astype(np.int32),
        start=begin,
        end=table.end,
        distance=np.append(table.distance, [nearest, nearest]).astype(np.int32),
        thought_states=2,
    )


def _apart(edges: np.ndarray, token_class: np.ndarray, token: int) -> np.ndarray:
    """Give `token` a class of its own, in place, which leads where its class did: the edges, Int [3, E], with these."""
    old = token_class[token]
    token_class[token] = -2  # no token's
    new = max(token_class.max(), old) + 1
    token_class[token] = new
    same = edges[:, edges[1] == old] if old >= 0 else edges[:, :0]
    same = same.copy()
    same[1] = new
    return np.concatenate([edges, same], axis=1)
