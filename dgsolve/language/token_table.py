"""An automaton over the tokens of a vocabulary, compiled from one over bytes: tokens that act alike are one class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.errors import SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.ragged import runs
from dgsolve.language.token_functions import NOWHERE, TokenFunctions, WorkLimitError
from dgsolve.language.token_graph import FAR, Graph

if TYPE_CHECKING:
    from dgsolve.language.vocabulary import TextVocabulary

LIMIT = 16_000_000  # transitions: a gigabyte of work space
CELLS = 1 << 25  # states x classes of bytes
SMALLER = "Lower bounds such as maxLength and maxItems, or make the schema less deep."


class TableTooLargeError(UnsupportedSchemaError):
    """The automaton over tokens is beyond the limits on memory and time; a smaller unrolling may fit."""


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Which tokens may follow in which state, and where they lead.

    token_class Int32 [V]: the class of each token, -1 for tokens allowed nowhere. Transitions of state q are those at
    offsets[q]:offsets[q + 1] (offsets Int32 [Q + 1]), sorted by class: classes Int32 [E], targets Int32 [E]. `end` is
    the state after the token that ends the text; only padding leads from it, to itself. distance Int32 [Q]: the fewest
    tokens from each state to `end`, the one that ends the text included. Every state reaches `end` and is reached. The
    last `thought_states` states are those of a thought before the text.
    """

    token_class: np.ndarray
    offsets: np.ndarray
    classes: np.ndarray
    targets: np.ndarray
    start: int
    end: int
    distance: np.ndarray
    thought_states: int = 0

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    @property
    def class_count(self) -> int:
        return int(self.token_class.max()) + 1


def min_tokens(table: TokenTable) -> int:
    """The fewest tokens of a whole text, the one that ends it included."""
    return int(table.distance[table.start])


def compile_tokens(acceptor: Acceptor, vocabulary: TextVocabulary) -> TokenTable:
    """The automaton over tokens: every way to spell an accepted text, then an end token, then padding.

    Raises UnsatisfiableSchemaError where there is no text, SchemaError where the tokens can spell none, and
    TableTooLargeError beyond 16 million transitions.
    """
    if acceptor.empty:
        raise UnsatisfiableSchemaError("no text at all fits", hint="Loosen what the text must hold to.")
    try:
        graph, token_class = _transitions(acceptor, vocabulary)
    except WorkLimitError as error:
        raise TableTooLargeError(f"too much work for {vocabulary.size:,} tokens", hint=SMALLER) from error
    return _trimmed(graph, acceptor.final_mask, token_class, vocabulary)


def _transitions(acceptor: Acceptor, vocabulary: TextVocabulary) -> tuple[Graph, np.ndarray]:
    """The transitions of all tokens that are text, and the class of each token, -1 for one that leads nowhere."""
    functions = TokenFunctions(*byte_table(acceptor))
    used, token_class = _numbered(functions.of_tokens(vocabulary.trie))
    counts = functions.origins(used)
    if counts.sum() > LIMIT:
        raise TableTooLargeError(f"its automaton over tokens has {int(counts.sum()):,} transitions", hint=SMALLER)
    return Graph.by_class(counts, *functions.pairs(used), len(acceptor)), token_class


def _trimmed(graph: Graph, finals: np.ndarray, token_class: np.ndarray, vocabulary: TextVocabulary) -> TokenTable:
    """The table of the states on ways from state 0 to a final one."""
    distance = graph.reversed.depths(finals)  # but for the end token
    ends = distance < FAR
    if not ends[0]:
        raise SchemaError(
            "the tokens of this model cannot spell any text that fits",
            hint="A character that every such text needs is missing in the vocabulary.",
        )
    graph = graph.kept(ends)
    reached = graph.depths(np.arange(int(ends.sum())) == 0) < FAR
    states = np.flatnonzero(ends)[reached]
    if len(states) < len(finals):
        graph, merged = graph.kept(reached).merged(int(token_class.max(initial=-1)) + 1)
        token_class = np.append(merged, np.int32(-1))[token_class]
    return _with_end(graph, finals[states], distance[states], token_class, vocabulary)


def _with_end(
    graph: Graph, finals: np.ndarray, distance: np.ndarray, token_class: np.ndarray, vocabulary: TextVocabulary
) -> TokenTable:
    """The table with the class of end tokens after final states, and that of padding after the end."""
    end, end_class = len(finals), int(graph.classes.max(initial=-1)) + 1
    pad_class = end_class if vocabulary.pad_id in vocabulary.end_ids else end_class + 1
    token_class = token_class.copy()
    token_class[vocabulary.pad_id] = pad_class
    token_class[list(vocabulary.end_ids)] = end_class
    after = graph.offsets[1:][finals]  # end_class is the greatest: it comes last
    added = np.append(0, np.cumsum(finals))
    return TokenTable(
        token_class,
        np.append(graph.offsets + added, len(graph.classes) + int(added[-1]) + 1).astype(np.int32),
        np.append(np.insert(graph.classes, after, end_class), np.int32(pad_class)),
        np.append(np.insert(graph.targets, after, end), np.int32(end)),
        start=0,
        end=end,
        distance=np.append(distance + 1, 0).astype(np.int32),
    )


def byte_table(acceptor: Acceptor) -> tuple[np.ndarray, np.ndarray]:
    """steps Int32 [Q, K], the state after each class of bytes (Q: none), and the class of each byte, Int32 [256].

    Bytes are one class where every state sends them to one state.
    """
    states = len(acceptor)
    origin, low, high, target = acceptor.arcs.T
    cuts = np.unique(np.concatenate([[0], low, high + 1]))  # bytes between two cuts act alike
    cuts = cuts[cuts < 256]
    if states * len(cuts) > CELLS:
        raise TableTooLargeError(f"its automaton over bytes has {states:,} states", hint=SMALLER)
    first, last = np.searchsorted(cuts, low), np.searchsorted(cuts, high, "right")
    at, column = runs(first, last - first)
    steps = np.full((states, len(cuts)), states, np.int32)
    steps[origin[at], column] = target[at]
    _, column, of_cut = np.unique(_column_sums(steps), return_index=True, return_inverse=True)
    classes = of_cut[np.searchsorted(cuts, np.arange(256), "right") - 1]
    return np.ascontiguousarray(steps[:, column]), classes.astype(np.int32)


def _column_sums(steps: np.ndarray) -> np.ndarray:
    """A number for each column, equal for equal columns."""
    random = np.random.default_rng(0)
    rows = random.integers(0, 1 << 64, len(steps), np.uint64) | np.uint64(1)
    targets = random.integers(0, 1 << 64, len(steps) + 1, np.uint64)
    return np.array([(rows * targets[steps[:, column]]).sum() for column in range(steps.shape[1])])


def _numbered(functions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different functions but NOWHERE, and for each token the place of its function among them, -1 for NOWHERE."""
    marks = np.zeros(int(functions.max(initial=NOWHERE)) + 1, bool)
    marks[functions] = True
    marks[NOWHERE] = False
    used = np.flatnonzero(marks)
    places = np.where(marks, np.cumsum(marks) - 1, -1).astype(np.int32)
    return used, places[functions]
