"""Guesses of a causal denoiser: they save passes, and leave pinned slots alone."""

import torch

from dgsolve.language import algebra
from dgsolve.language.token_table import compile_tokens
from tests.denoisers.tiny_causal import PROMPTS, SLOTS, asked, canvas, literal, run


def test_a_guess_saves_passes_where_text_is_forced(denoisers, tables):
    form = algebra.concat(*(algebra.concat(algebra.byte_set(b"+-"), literal("=#?!/")) for _ in range(5)))
    table = compile_tokens(form, denoisers[0].vocabulary(None))
    for denoiser in denoisers[:3]:
        texts, passes = run(denoiser, PROMPTS[:1], table)
        assert len(texts[0]) == 31 and passes <= 6 < run(denoiser, PROMPTS[:1], table, guess="none")[1]


def test_slots_that_are_pinned_keep_their_tokens_in_a_guess(denoisers, tables):
    denoiser, vocabulary = denoisers[0], denoisers[0].vocabulary(None)
    written, _ = run(denoiser, PROMPTS[:1], tables[0])
    full = torch.tensor([written[0] + [vocabulary.pad_id] * (SLOTS - len(written[0]))])
    slots = torch.arange(SLOTS)[None] >= 5
    pinned = canvas(tables[0], vocabulary).lock(full, slots)
    guessed = denoiser.guess(
        denoiser.noise(pinned, vocabulary, None), pinned, denoiser.start(asked(PROMPTS[0]), pinned)
    )
    assert torch.equal(guessed[slots], full[slots]) and int(guessed.min()) >= 0
