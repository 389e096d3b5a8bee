"""What a model writes with, as bytes: the text of every token, and the tokens that end a text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from dgsolve.errors import UsageError
from dgsolve.language.token_trie import TokenTrie

END_OF_TURN = ("<|im_end|>", "<end_of_turn>", "<turn|>", "<|eot_id|>", "<|end|>")  # beside the end-of-text token


@dataclass(frozen=True, eq=False)
class TextVocabulary:
    """The bytes of each token id; None for what is never inside a text (special, unused, rows that pad the model).

    Any of `end_ids` ends a text, and `pad_id`, which may be one of them, fills the slots after it. `added`: by their
    texts, the tokens that a tokenizer has beside its pieces of text, special ones among them.
    >>> TextVocabulary((b"a", b"ab", None), end_ids=(2,), pad_id=2).encode(b"aba")
    [1, 0]
    """

    pieces: tuple[bytes | None, ...] = field(repr=False)
    end_ids: tuple[int, ...]
    pad_id: int
    added: Mapping[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.end_ids:
            raise UsageError(
                "this vocabulary has no token that ends a text",
                hint="Name at least one: end_ids=[...]; the model's generation config has them as eos_token_id.",
            )
        for name, token in [*(("end_ids", token) for token in self.end_ids), ("pad_id", self.pad_id)]:
            if not 0 <= token < self.size:
                raise UsageError(f"{name} has token {token}, but the vocabulary has tokens 0 to {self.size - 1}")
            if self.pieces[token] is not None:
                raise UsageError(f"{name} has token {token}, which is text: {self.pieces[token]!r}")
        if b"" in self.pieces:
            raise UsageError(f"token {self.pieces.index(b'')} has no bytes; give None where a token is no text")

    @property
    def size(self) -> int:
        """How many tokens the model has, the rows that pad it included."""
        return len(self.pieces)

    @property
    def turn_end(self) -> int:
        """The token that ends an answer in a chat, else the first that ends a text."""
        named = (self.added[name] for name in END_OF_TURN if name in self.added)
        return next((token for token in named if token in self.end_ids), self.end_ids[0])

    @cached_property
    def fingerprint(self) -> str:
        """Equal vocabularies, and only these, have equal fingerprints."""
        lengths = np.fromiter((-1 if piece is None else len(piece) for piece in self.pieces), np.int32, self.size)
        ends = np.array([self.pad_id, *self.end_ids], np.int64)
        parts = (np.int64(self.size).tobytes(), lengths.tobytes(), b"".join(self._texts), ends.tobytes())
        return hashlib.sha256(b"".join(parts)).hexdigest()

    @cached_property
    def trie(self) -> TokenTrie:
        return TokenTrie.build(self.pieces)

    def tokens(self, symbols: Sequence[str]) -> list[int]:
        """The token that spells each symbol; UsageError where none does."""
        missing = [symbol for symbol in symbols if symbol.encode() not in self._ids]
        if missing:
            raise UsageError(f"this vocabulary has no single token for {missing[0]!r}")
        return [self._ids[symbol.encode()] for symbol in symbols]

    def encode(self, text: bytes) -> list[int]:
        """Tokens that spell `text`, the longest that fits each time: a guess, not what the model's tokenizer says."""
        ids, tokens, start = self._ids, [], 0
        while start < len(text):
            ends = range(min(len(text), start + self._longest), start, -1)
            end = next((end for end in ends if text[start:end] in ids), start)
            if end == start:
                raise UsageError(f"this vocabulary cannot spell byte 0x{text[start]:02x} of {text[:60]!r}")
            tokens.append(ids[text[start:end]])
            start = end
        return tokens

    def decode(self, ids: Iterable[int]) -> bytes:
        """The text of tokens up to the first that ends it; special tokens have no text."""
        text = bytearray()
        for token in ids:
            if token in self.end_ids:
                break
            text += self.pieces[token] or b""
        return bytes(text)

    @cached_property
    def _texts(self) -> list[bytes]:
        return [piece for piece in self.pieces if piece is not None]

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        # Of two tokens with the same bytes the later is the tokenizer's own; the earlier is its fallback for a byte.
        known = [piece is not None for piece in self.pieces]
        return dict(zip(self._texts, compress(range(self.size), known), strict=True))

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._texts), default=0)


def from_tokenizer(tokenizer: Any, size: int | None = None, end_ids: Iterable[int] | None = None) -> TextVocabulary:
    """The vocabulary of a `transformers` tokenizer, checked on sample texts.

    `size` is how many rows the model has where that is more than the tokenizer's; `end_ids` are the tokens that end a
    text, by default the tokenizer's end-of-text token and the end-of-turn tokens it has. Raises UsageError for a
    tokenizer whose tokens do not spell the text they stand for.
    """
    from dgsolve.language.tokenizer_bytes import special_ids, token_bytes, verify

    spelled, specials = token_bytes(tokenizer), special_ids(tokenizer)
    verify(tokenizer, spelled)
    rows = max([*spelled, *specials]) + 1 if size is None else size
    ends = tuple(dict.fromkeys(_ends(tokenizer) if end_ids is None else (int(token) for token in end_ids)))
    pad = tokenizer.pad_token_id
    if ends and (pad is None or pad >= rows):  # none, or one that the model does not know
        pad = ends[0]
    never = specials | {*ends, pad}
    texts = [None if token in never else spelled.get(token) or None for token in range(rows)]
    added = {entry.content: token for token, entry in tokenizer.added_tokens_decoder.items() if token < rows}
    return TextVocabulary(tuple(texts), ends, pad or 0, added)


def _ends(tokenizer: Any) -> list[int]:
    """The end-of-text token, then the tokens that end a turn in the chats that this tokenizer was made for."""
    named = {entry.content: token for token, entry in tokenizer.added_tokens_decoder.items() if entry.special}
    ends = [tokenizer.eos_token_id, *(named.get(name) for name in END_OF_TURN)]
    return [token for token in ends if token is not None]
