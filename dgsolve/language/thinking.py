"""A free thought before the text: between two markers, closed in time, and kept apart from the answer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.errors import UsageError
from dgsolve.language.token_table import TokenTable, min_tokens
from dgsolve.shortened import shown
from dgsolve.whole_numbers import is_whole

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
HEADINGS = {"<|channel>": "thought\n"}  # Gemma names the channel
MOST_BLANKS = 4  # tokens of white space between a thought and the text
HINT = 'Give the model\'s own: thinking_markers=("<think>", "</think>"); each must be one token of it.'


@dataclass(frozen=True)
class Thinking:
    """A thought of at most `tokens` tokens, its markers included; `opening` and `closing` are their token ids.

    heading: what the model writes after the opening marker to name what follows; it is no part of the thought.
    """

    tokens: int
    opening: int
    closing: int
    heading: str = ""

    @classmethod
    def of(cls, tokens: int, vocabulary: TextVocabulary, markers: Markers | None = None) -> Thinking:
        """With the markers given as text, or those that the vocabulary knows.

        Raises UsageError for a number that is none, for a marker that is not one token, and where none is known.
        """
        if not is_whole(tokens) or tokens < 1:
            raise UsageError(f"thinking={shown(tokens)}: write how many tokens a thought may have, at least 1")
        if markers is None:
            markers = next((pair for pair in KNOWN if all(name in vocabulary.added for name in pair)), None)
            if markers is None:
                raise UsageError(
                    f"thinking={tokens}: this model's tokenizer has no thinking markers that dgsolve knows", hint=HINT
                )
        named = isinstance(markers, tuple | list) and all(isinstance(name, str) for name in markers)
        if not named or len(markers) != 2 or markers[0] == markers[1]:
            raise UsageError(f"thinking_markers={shown(markers)}: give two different texts", hint=HINT)
        opening, closing = (_marker(name, vocabulary) for name in markers)
        return cls(int(tokens), opening, closing, HEADINGS.get(markers[0], ""))

    def end(self, values: list[int]) -> int | None:
        """The slot after the marker that closes the thought, None where nothing closes it yet."""
        return values.index(self.closing) + 1 if self.closing in values else None


def _marker(name: str, vocabulary: TextVocabulary) -> int:
    token = vocabulary.added.get(name)
    if token is None:
        message = f"thinking_markers: {shown(name)} is no token of its own in this model's vocabulary"
        raise UsageError(message, hint=HINT)
    if token in (*vocabulary.end_ids, vocabulary.pad_id):
        raise UsageError(f"thinking_markers: {shown(name)} ends a text, so it cannot mark a thought", hint=HINT)
    return token


def with_thought(table: TokenTable, vocabulary: TextVocabulary, thinking: Thinking) -> TokenTable:
    """The opening marker or nothing, any text, the closing marker, white space, then what `table` accepts.

    Any token that is text may stand in the thought, and no special one. The opening marker may be left out, since some
    chat templates end in it. Models write white space after the closing marker: up to `MOST_BLANKS` tokens of `blanks`
    may stand there. A text's fewest tokens grow by one, the closing marker.
    """
    blank = blanks(table, vocabulary)
    edges, token_class = _with_own_classes(table, thinking, blank)
    markers = [thinking.opening, thinking.closing]
    text = np.array([piece is not None and token not in markers for token, piece in enumerate(vocabulary.pieces)])
    token_class[text & (token_class < 0)] = token_class.max() + 1
    gaps = MOST_BLANKS if blank.any() else 0
    before_text = [*range(table.states, table.states + gaps), table.start]  # after 0, 1, .. tokens of white space
    begin, inside = table.states + gaps, table.states + gaps + 1
    free, white = np.unique(token_class[text]), np.unique(token_class[blank])
    added = _thought_edges(begin, inside, before_text[0], token_class[markers].tolist(), free)
    added += [(state, label, after) for state, after in pairwise(before_text) for label in white]
    added += [(state, *edge) for state in before_text[:-1] for edge in edges[1:, edges[0] == table.start].T]
    edges = np.concatenate([edges, np.array(added).T], axis=1)
    origins, classes, targets = edges[:, np.lexsort((edges[1], edges[0]))]
    return TokenTable(
        token_class,
        np.searchsorted(origins, np.arange(inside + 2)).astype(np.int32),
        classes.astype(np.int32),
        targets.astype(np.int32),
        start=begin,
        end=table.end,
        distance=np.append(table.distance, min_tokens(table) + np.array([0] * gaps + [1, 1])).astype(np.int32),
        thought_states=2,
    )


def _thought_edges(
    begin: int, inside: int, after: int, markers: list[int], free: np.ndarray
) -> list[tuple[int, int, int]]:
    """Origin, class, target: the opening marker or nothing, tokens of the classes `free`, the closing marker."""
    opening, closing = markers
    found = [(begin, opening, inside)]
    for state in (begin, inside):
        found += [(state, closing, after), *((state, label, inside) for label in free)]
    return found


def blanks(table: TokenTable, vocabulary: TextVocabulary) -> np.ndarray:
    """Bool [V]: the tokens of spaces and newlines with which no text of `table` begins.

    Right after a thought they are thus part of neither thought nor text, whatever follows.
    """
    low, high = table.offsets[table.start : table.start + 2]
    white = np.array([piece is not None and not piece.strip(b" \n") for piece in vocabulary.pieces])
    return white & ~np.isin(table.token_class, table.classes[low:high])


def _with_own_classes(table: TokenTable, thinking: Thinking, blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges, Int [3, E] of origins, classes, targets, and the classes: each marker, and white space, without others."""
    origins = np.repeat(np.arange(table.states), np.diff(table.offsets))
    edges = np.stack([origins, table.classes, table.targets])
    token_class = table.token_class.copy()
    for marker in (thinking.opening, thinking.closing):
        edges = _apart(edges, token_class, np.arange(len(token_class)) == marker)
    return _apart(edges, token_class, blank), token_class


def _apart(edges: np.ndarray, token_class: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Give `tokens`, Bool [V], classes without others, in place, which lead where theirs did; the edges with these."""
    for old in np.unique(token_class[tokens]):
        apart = tokens & (token_class == old)
        if old >= 0 and apart.sum() == (token_class == old).sum():
            continue
        new = max(token_class.max(), edges[1].max()) + 1
        token_class[apart] = new
        same = edges[:, (edges[1] == old) & (old >= 0)]
        same[1] = new
        edges = np.concatenate([edges, same], axis=1)
    return edges
