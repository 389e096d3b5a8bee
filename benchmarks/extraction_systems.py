"""What the extraction benchmark compares: dgsolve, and left-to-right decoding under llguidance and outlines.

All are greedy, with the same weights, chat prompt and limit on tokens, keys and values kept. outlines is its engine,
outlines-core. A peer pays no pass for an end that its constraint forces.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from dgsolve import chat
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import DgsolveError
from dgsolve.model import Generator, Model


@dataclass(frozen=True)
class Written:
    """What a system wrote: a text, its tokens with the one that ends it, and the passes of the model it took."""

    text: str
    tokens: int
    passes: int
    ended: bool


class System(Protocol):
    """Something that writes JSON by a schema."""

    name: str
    limit: int

    def prepare(self, kind: str, schema: dict[str, Any]) -> None:
        """Compile a schema, cold."""

    def write(self, kind: str, prompt: chat.Prompt) -> Written:
        """The answer to a prompt in the form of the kind's schema."""


class Parallel:
    """dgsolve: several slots a pass."""

    name = "dgsolve"

    def __init__(self, model: Model, limit: int) -> None:
        self.model, self.limit = model, limit
        self._generators: dict[str, Generator] = {}

    def prepare(self, kind: str, schema: dict[str, Any]) -> None:
        made = self._generators[kind] = self.model.generator(schema, max_new_tokens=self.limit)
        assert self.model.denoiser.text is not None
        made.form.table(self.model.denoiser.text)

    def write(self, kind: str, prompt: chat.Prompt) -> Written:
        try:
            result = self._generators[kind].run(prompt)
        except DgsolveError as error:
            return Written(f"{type(error).__name__}: {error}", 0, 0, ended=False)
        return Written(result.text, result.usage.completion_tokens, result.usage.passes, ended=True)


class Matcher(Protocol):
    """A constraint while a text is written."""

    def write_mask(self, mask: np.ndarray) -> None:
        """Set the bits of the tokens that may come next; mask int32 [V / 32]."""

    def advance(self, token: int) -> None:
        """A token was written."""

    def finished(self) -> bool:
        """Whether nothing but the end may come."""


class LeftToRight:
    """One token a pass under a matcher's mask."""

    name: str

    def __init__(self, denoiser: CausalDenoiser, limit: int) -> None:
        self.denoiser, self.limit = denoiser, limit
        self.matchers: dict[str, Any] = {}

    def matcher(self, kind: str) -> Matcher:
        """A fresh one, at the beginning of a text."""
        raise NotImplementedError

    @torch.inference_mode()
    def write(self, kind: str, prompt: chat.Prompt) -> Written:
        from transformers import DynamicCache

        model, words = self.denoiser.model, self.denoiser.text
        matcher, cache = self.matcher(kind), DynamicCache(config=model.config)
        feed, written = chat.encode(self.denoiser.tokenizer, prompt), list[int]()
        mask = np.zeros((words.size + 31) // 32, dtype=np.int32)
        ended = False
        while not ended and len(written) < self.limit - 1:  # the last one is for the end
            logits = model(torch.tensor([feed]), cache=cache, use_cache=True, logits_to_keep=1).logits[0, -1]
            matcher.write_mask(mask)
            allowed = np.unpackbits(mask.view(np.uint8), bitorder="little")[: words.size]
            token = int(logits.masked_fill_(torch.from_numpy(allowed) == 0, -torch.inf).argmax())
            written.append(token)
            matcher.advance(token)
            feed, ended = [token], token in words.end_ids or matcher.finished()
        passes = len(written)
        if written[-1] in words.end_ids:
            written.pop()
        return Written(words.decode(written).decode("utf-8", "replace"), len(written) + ended, passes, ended)


@dataclass
class LlguidanceMatcher:
    matcher: Any

    def write_mask(self, mask: np.ndarray) -> None:
        self.matcher.unsafe_compute_mask_ptr(mask.ctypes.data, mask.nbytes)

    def advance(self, token: int) -> None:
        self.matcher.consume_token(token)

    def finished(self) -> bool:
        return bool(self.matcher.is_stopped())


class Llguidance(LeftToRight):
    """With dgsolve's spacing: one optional space after ':' and ','."""

    name, module = "llguidance", "llguidance"

    def __init__(self, denoiser: CausalDenoiser, limit: int) -> None:
        import llguidance.hf

        super().__init__(denoiser, limit)
        self._tokenizer = llguidance.hf.from_tokenizer(
            denoiser.tokenizer, n_vocab=denoiser.text.size, eos_token=list(denoiser.text.end_ids)
        )

    def prepare(self, kind: str, schema: dict[str, Any]) -> None:
        from llguidance import LLMatcher

        spacing: Any = {"whitespace_flexible": False, "item_separator": ", ?", "key_separator": ": ?"}
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=spacing)
        matcher = self.matchers[kind] = LLMatcher(self._tokenizer, grammar)
        if matcher.is_error():
            raise SystemExit(f"llguidance cannot take the schema of {kind}: {matcher.get_error()}")

    def matcher(self, kind: str) -> Matcher:
        return LlguidanceMatcher(self.matchers[kind].deep_copy())


@dataclass
class OutlinesMatcher:
    guide: Any

    def write_mask(self, mask: np.ndarray) -> None:
        self.guide.write_mask_into(mask.ctypes.data, mask.size, mask.itemsize)

    def advance(self, token: int) -> None:
        self.guide.advance(token, return_tokens=False)

    def finished(self) -> bool:
        return bool(self.guide.is_finished())


class Outlines(LeftToRight):
    """With its own spacing: an optional space between any two parts."""

    name, module = "outlines", "outlines_core"

    def __init__(self, denoiser: CausalDenoiser, limit: int) -> None:
        from outlines_core import Vocabulary

        super().__init__(denoiser, limit)
        tokens: dict[str | bytes, list[int]] = {}
        for token, piece in enumerate(denoiser.text.pieces):
            if piece is not None:
                tokens.setdefault(piece, []).append(token)
        self._vocabulary = Vocabulary(denoiser.text.end_ids[0], tokens)

    def prepare(self, kind: str, schema: dict[str, Any]) -> None:
        from outlines_core import Index
        from outlines_core.json_schema import build_regex_from_schema

        self.matchers[kind] = Index(build_regex_from_schema(json.dumps(schema)), self._vocabulary)

    def matcher(self, kind: str) -> Matcher:
        from outlines_core import Guide

        return OutlinesMatcher(Guide(self.matchers[kind]))


PEERS: dict[str, type[Llguidance] | type[Outlines]] = {"llguidance": Llguidance, "outlines": Outlines}
SYSTEMS = ("dgsolve", *PEERS)


def systems(model: Model, names: Iterable[str], limit: int) -> list[System]:
    """Those that are named; ends the program where one is unknown or not installed."""
    assert isinstance(model.denoiser, CausalDenoiser)
    found: list[System] = []
    for name in names:
        if name not in SYSTEMS:
            raise SystemExit(f"--systems {name}: known are {', '.join(SYSTEMS)}")
        if name == Parallel.name:
            found.append(Parallel(model, limit))
        elif importlib.util.find_spec(PEERS[name].module) is None:
            package = PEERS[name].module.replace("_", "-")
            raise SystemExit(f"--systems {name}: pip install {package}, or leave it out")
        else:
            found.append(PEERS[name](model.denoiser, limit))
    return found
