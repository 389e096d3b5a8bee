"""All texts of a tiny form, over a tiny vocabulary, and denoisers of random logits that write them."""

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import torch

from dgsolve.denoisers.base import RowState
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.forms import compile_form
from dgsolve.language import json_text
from dgsolve.language.choices import compact, label
from dgsolve.language.vocabulary import TextVocabulary

PIECES = [b"[", b"]", b",", b" ", b"1", b"2", b"12", b", ", b"true", b"t", b"rue", b"false", b",1", b"2]", b" false"]
PIECES += [b"e", b"fals", b"[1", b"e]", b"ru", b"2,"]
TINY = TextVocabulary((*PIECES, None, None), end_ids=(len(PIECES),), pad_id=len(PIECES) + 1)
PAIR = {"type": "array", "prefixItems": [{"enum": [1, 12, 2]}, {"type": "boolean"}], "items": False, "minItems": 2}
SLOTS = 9
MOST_SLOTS = 16  # that the denoisers here know of
ONE_STEP = {"max_denoising_steps": 1, "t_max": 1.0, "t_min": 1.0}


class Fixed(RandomDenoiser):
    """The same random logits at each step."""

    def __init__(self, seed, vocabulary=TINY):
        super().__init__(vocabulary)
        self.logits = torch.from_numpy(np.random.default_rng(seed).normal(size=(1, MOST_SLOTS, vocabulary.size)) * 2)
        self.logits = self.logits.float()

    def denoise(self, tokens, state):
        return self.logits[:, : tokens.shape[1]].expand(len(tokens), -1, -1), state


@dataclass(frozen=True)
class Settled(RowState):
    settled: torch.Tensor


class LeftToRight(Fixed):
    """A causal model of one token of memory: its logits hang on the slot and on the token before."""

    def __init__(self, seed, vocabulary=TINY):
        super().__init__(seed, vocabulary)
        self.drafting, self.sampling = CausalDenoiser.drafting, CausalDenoiser.sampling
        size = vocabulary.size
        self.table = torch.from_numpy(np.random.default_rng(seed + 99).normal(size=(size, size)) * 2).float()

    def start(self, problem, canvas):
        return Settled(torch.zeros(len(canvas.tokens), dtype=torch.long))

    def settle(self, state, settled):
        return replace(state, settled=settled)

    def denoise(self, tokens, state):
        rows = []
        for row, first in zip(tokens.clamp(min=0), state.settled.tolist(), strict=True):
            before = row[max(0, first - 1) : -1] if first else torch.cat([row[:1] * 0, row[:-1]])
            width = len(row) - int(state.settled.max())
            rows.append(self.logits[0, first : first + width] + self.table[before[:width]])
        return torch.stack(rows), state


def texts(slots=SLOTS, vocabulary=TINY):
    """All canvases whose text is in form, as tokens: text, end, padding."""
    end, pad = vocabulary.end_ids[0], vocabulary.pad_id
    acceptor, found, ways = compile_form(PAIR).acceptor(), [], [((), 0)]
    for _ in range(slots):
        longer = []
        for tokens, state in ways:
            if state in acceptor.finals:
                found.append((*tokens, end, *[pad] * (slots - len(tokens) - 1)))
            for token, piece in enumerate(PIECES):
                after = state
                for byte in piece:
                    after = acceptor.step(after, byte) if after >= 0 else -1
                if after >= 0:
                    longer.append(((*tokens, token), after))
        ways = longer
    return found


def spelled(tokens):
    return TINY.decode(tokens)


def before(text, pointer):
    low, high = json_text.spans(text)[pointer]
    return compact(text[:low])[0], label(text[low:high])


def touched(values, low, high, *, number):
    """The slots of a part, counted from the beginning of the text; a number ends with what follows it."""
    starts = list(accumulate((len(PIECES[v]) for v in values if v < len(PIECES)), initial=0))
    slots = [s for s in range(len(starts) - 1) if starts[s] < high and starts[s + 1] > low]
    return [*slots, slots[-1] + 1] if number and starts[slots[-1] + 1] == high else slots


def grouped(result, pointer, weights):
    """Shares of the values at a pointer among the ways, with their weights, that begin as the text does."""
    mine, _ = before(result.text.encode(), pointer)
    shares = dict.fromkeys(result.distribution[pointer], 0.0)
    for way, weight in weights.items():
        head, name = before(spelled(way), pointer)
        if head == mine:
            shares[name] += weight
    return {name: share / sum(shares.values()) for name, share in shares.items()}
