"""First tokens for slots that have none yet: what the form forces, what the prompt suggests, then the last draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from dgsolve.denoisers.prompt_copy import continuations, open_string
from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from dgsolve.constraints.lookahead import Lookahead
    from dgsolve.constraints.token_automaton import TokenAutomaton
    from dgsolve.language.vocabulary import TextVocabulary

JSON_MARKS = {b":": (b" ",), b",": (b" ",), b" ": (b'"',), b"[": (b'"',)}  # what mostly follows a byte
CLOSERS = (b",", b"}", b"]")
MOST_BYTES = 400  # of guessed text; a window holds no more

Encode = Callable[[bytes], list[int]]


def guess(
    tokens: Tensor,
    settled: Tensor,
    constraint: TokenAutomaton,
    vocabulary: TextVocabulary,
    sources: list[bytes],
    encode: Encode,
) -> Tensor:
    """Int [B, L]: the settled tokens, then the guess, then the last draft, -1 where there is none.

    tokens Int [B, L], settled Int [B]. sources: what each canvas may copy from. encode: bytes to tokens, as the model
    would most likely write them.
    """
    rows = []
    for number, (row, first, source) in enumerate(zip(tokens.tolist(), settled.tolist(), sources, strict=True)):
        walk = _Walk(constraint.lookahead(number), vocabulary, vocabulary.decode(row[:first]))
        guessed = walk.guessed(source, encode)
        if guessed[-1:] == [vocabulary.end_ids[0]]:
            guessed += [-1] * (len(row) - first - len(guessed))
        filled = row[:first] + guessed
        rows.append((filled + row[len(filled) :])[: len(row)])
    return torch.tensor(rows)


class _Walk:
    """A text that goes on, with the place in the form moved on over it."""

    def __init__(self, place: Lookahead, vocabulary: TextVocabulary, text: bytes) -> None:
        self.place, self.vocabulary, self.text = place, vocabulary, text

    def guessed(self, source: bytes, encode: Encode) -> list[int]:
        """Tokens of the text that probably follows, with the one that ends it where it is whole."""
        start = len(self.text)
        while len(self.text) < start + MOST_BYTES and self.one_step(source):
            pass
        try:
            tokens = encode(self.text[start:])
        except UsageError:  # pieces that have tokens each, but not together
            return []
        end = self.vocabulary.end_ids[0]
        return [*tokens, end] if self._move([end], b"") else tokens

    def one_step(self, source: bytes) -> bool:
        """Go on by what is forced, what the prompt suggests, or how JSON is mostly spaced; False where nobody knows."""
        if self.take(self.place.forced()) or any(map(self.take, continuations(self.text, source))):
            return True
        if self.text[:1] not in (b"{", b"[") or open_string(self.text) is not None:
            return False
        return any(self.take(mark) for mark in JSON_MARKS.get(self.text[-1:], CLOSERS))

    def take(self, piece: bytes) -> bool:
        """Go on by `piece` where the form lets it."""
        try:
            return bool(piece) and self._move(self.vocabulary.encode(piece), piece)
        except UsageError:  # no token for one of its bytes
            return False

    def _move(self, tokens: list[int], piece: bytes) -> bool:
        fits = self.place.fitting(tokens) == len(tokens)
        self.text += piece if fits else b""
        return fits
