"""How probable each choice is when a model writes from left to right: all ways to spell it, the likeliest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import torch

from dgsolve.denoisers.base import Denoiser
from dgsolve.language.choices import NUMERIC, Reading, compact
from dgsolve.problem import TextProblem

if TYPE_CHECKING:
    from dgsolve.constraints.indexed_table import IndexedTable

REST = 1e-6  # of the probability, below which what was not looked at may stay
MOST_NODES = 512  # beginnings of spellings that are looked at
ROWS = 16  # of them in one pass


class Node(NamedTuple):
    """The beginning of a spelling: its tokens and text, the state after it, and its probability."""

    tokens: tuple[int, ...]
    state: int
    text: bytes
    reading: Reading
    mass: float


class ChoiceTree:
    """Sequences of tokens after the slots `values`, read as compact text from `reading` on.

    targets: the compact text of each choice, with what stands before it in its first token, and its name. Sequences
    that leave all targets are no part of what is asked. plain: a text that is no JSON, spaces count.
    """

    def __init__(
        self, table: IndexedTable, passes: Passes, targets: Mapping[bytes, str], reading: Reading, *, plain: bool
    ) -> None:
        self.table, self.passes, self.targets, self.plain = table, passes, targets, plain
        self.reading = reading
        self._fits: dict[bytes, list[str]] = {}
        for text, name in targets.items():
            for size in range(len(text) + 1):
                self._fits.setdefault(text[:size], []).append(name)
        self._order = count()

    def shares(self) -> tuple[dict[str, float], float]:
        """The probability of each choice among them, and of what was not looked at; together 1."""
        found = dict.fromkeys(self.targets.values(), 0.0)
        heap = [(-1.0, next(self._order), Node((), self.passes.state(self.table), b"", self.reading, 1.0))]
        looked = 0
        while heap and looked < MOST_NODES:
            left = sum(-mass for mass, _, _ in heap)
            enough, nodes = REST * (left + sum(found.values())), list[Node]()
            while left > enough and heap and len(nodes) < ROWS:
                nodes.append(heappop(heap)[2])
                left -= nodes[-1].mass
            if not nodes:
                break
            looked += len(nodes)
            for node, logits in zip(nodes, self.passes.logits([node.tokens for node in nodes]), strict=True):
                for child in self._children(node, logits, found):
                    heappush(heap, (-child.mass, next(self._order), child))
        left = sum(-mass for mass, _, _ in heap)
        total = left + sum(found.values())
        if not total:  # the model rules out what was written, which only pins or noise can do
            return found, 1.0
        return {name: mass / total for name, mass in found.items()}, left / total

    def _children(self, node: Node, logits: torch.Tensor, found: dict[str, float]) -> list[Node]:
        """What is still open after one more token; what ends a choice goes into `found`."""
        children = []
        for token, share in zip(*self._law(node, logits), strict=True):
            piece, mass = self.passes.pieces[token], node.mass * share
            added, reading = (piece or b"", node.reading) if self.plain else compact(piece or b"", node.reading)
            text = node.text + added
            fits = self._fits.get(text, [])
            name = self._ended(text, last=piece is None)
            if name is None and len(fits) == 1:  # one choice alone begins so: all that can follow leads to it
                name = fits[0]
            if name is not None:
                found[name] += mass
            elif fits and piece is not None:
                state = self.table.step(node.state, token) or 0
                children.append(Node((*node.tokens, token), state, text, reading, mass))
        return children

    def _law(self, node: Node, logits: torch.Tensor) -> tuple[list[int], list[float]]:
        """softmax over the tokens from which the text can still end in the slots that are left."""
        from dgsolve.constraints.bounded_logits import bounded

        table, (low, high) = self.table, self.table.offsets[node.state : node.state + 2]
        fits = table.within(self.passes.room - len(node.tokens) - 1)[table.targets[low:high]]
        ids = table.tokens_of(table.classes[low:high][fits])
        shares = bounded(logits[torch.from_numpy(ids).long().to(logits.device)]).double().softmax(-1)
        return ids.tolist(), shares.tolist()

    def _ended(self, text: bytes, *, last: bool) -> str | None:
        """The choice that a text has come to the end of."""
        if last or self.plain:
            return self.targets.get(text) if last else None
        for size in range(len(text), 0, -1):
            name = self.targets.get(text[:size])
            if name is not None:
                number_goes_on = size == len(text) or text[size] in NUMERIC
                return None if text[size - 1 : size].isdigit() and number_goes_on else name
        return None


class Passes:
    """A model's logits after the first `settled` slots of a draft and some more tokens, a batch at a time."""

    def __init__(self, denoiser: Denoiser, problem: TextProblem, values: Sequence[int], settled: int) -> None:
        self.denoiser, self.settled, self.values = denoiser, settled, tuple(values[:settled])
        canvas = problem.canvas(denoiser.vocabulary(problem))
        self.pieces, self.length = problem.vocabulary.pieces, canvas.tokens.shape[1]
        self._start, self._budget = problem.start(values), problem.max_new_tokens
        self._known = denoiser.start(problem, canvas)

    @property
    def room(self) -> int:
        """Slots that are left for the text."""
        return self._budget - self.settled

    def state(self, table: IndexedTable) -> int:
        """Of the text's automaton, after the settled slots; what was thought before the text is no part of it."""
        state = int(table.source.start)
        for token in self.values[self._start :]:
            state = table.step(state, token) or 0
        return state

    def logits(self, continuations: Sequence[Sequence[int]]) -> torch.Tensor:
        """Float [b, V]: about the slot after each continuation."""
        rows, known = len(continuations), self._known
        tokens = torch.full((rows, self.length), -1)
        for row, more in enumerate(continuations):
            tokens[row, : self.settled + len(more)] = torch.tensor([*self.values, *more], dtype=torch.long)
        settled = torch.tensor([self.settled + len(more) for more in continuations])
        state = self.denoiser.settle(known.rows(torch.zeros(rows, dtype=torch.long)), settled)
        logits, state = self.denoiser.denoise(tokens, state)
        self._known = state.rows(torch.zeros(1, dtype=torch.long))
        return logits[:, 0]
