"""The seam between a kind of output and the loop: a language, a judge, and how a text becomes an object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.compile_cache import cached, table_key
from dgsolve.language.token_table import TokenTable, compile_tokens, min_tokens
from dgsolve.language.vocabulary import TextVocabulary

Span = tuple[int, int]  # first byte, byte after the last, of the text in UTF-8


@dataclass(frozen=True)
class TextFault:
    """What is wrong with a text: a sentence, the JSON Pointer it is about ("" the whole), and the bytes to re-noise."""

    message: str
    pointer: str = ""
    span: Span | None = None


class Form(ABC):
    """What an output must be. Equal keys mean equal forms."""

    name: str  # for people

    @property
    @abstractmethod
    def instruction(self) -> str:
        """One sentence that tells a model what to answer with."""

    @property
    @abstractmethod
    def key(self) -> str:
        """All that decides the language, as text: the cache knows compiled forms by it."""

    @abstractmethod
    def acceptor(self) -> Acceptor:
        """The texts in form; wider than the form where the judge looks after the rest."""

    @abstractmethod
    def faults(self, text: str) -> tuple[TextFault, ...]:
        """What the judge finds wrong with a text; nothing where it is in form."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The object that a text in form spells, in the type that was asked for."""

    @abstractmethod
    def accepts(self, text: str) -> bool:
        """Whether a text, in any spelling of its value, is in form: automaton and judge together."""

    def spans(self, text: str) -> dict[str, Span]:
        """The bytes that each part of a text stands on, by JSON Pointer."""
        return {"": (0, len(text.encode()))}

    def table(self, vocabulary: TextVocabulary) -> TokenTable:
        """The automaton over the tokens of `vocabulary`, from the cache on disk where it is known."""
        if vocabulary.fingerprint not in self._tables:
            key = table_key(self.key, vocabulary)
            self._tables[vocabulary.fingerprint] = cached(key, lambda: compile_tokens(self.acceptor(), vocabulary))
        return self._tables[vocabulary.fingerprint]

    @cached_property
    def _tables(self) -> dict[str, TokenTable]:
        return {}

    def min_tokens(self, tokenizer: Any) -> int:
        """The fewest tokens of a text in form, the one that ends it included; takes a tokenizer or a TextVocabulary."""
        if not isinstance(tokenizer, TextVocabulary):
            from dgsolve.language.vocabulary import from_tokenizer

            tokenizer = from_tokenizer(tokenizer)
        return min_tokens(self.table(tokenizer))
