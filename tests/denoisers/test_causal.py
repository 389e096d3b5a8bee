"""The causal denoiser writes what constrained decoding from left to right writes, token for token."""

import pytest
import torch

from dgsolve.denoisers.causal import CausalDenoiser
from tests.denoisers.tiny_causal import LANGUAGES, PROMPTS, SLOTS, left_to_right, network, run


@pytest.mark.parametrize("language", range(len(LANGUAGES)))
@pytest.mark.parametrize("guess", ["own", "none", "random"])
def test_greedy_is_left_to_right_decoding_whatever_is_guessed(denoisers, tables, language, guess):
    for number, denoiser in enumerate(denoisers):
        prompt = PROMPTS[number % len(PROMPTS)]
        texts, passes = run(denoiser, [prompt], tables[language], guess=guess)
        assert texts == [left_to_right(denoiser, prompt, tables[language])]
        assert passes <= SLOTS


@pytest.mark.parametrize("temperature", [0.7, 4.0])
def test_sampling_is_left_to_right_sampling_with_the_same_noise(denoisers, tables, temperature):
    drawn = set()
    for seed in range(6):
        texts, _ = run(denoisers[0], PROMPTS[:1], tables[1], temperature=temperature, seed=seed)
        assert texts == [left_to_right(denoisers[0], PROMPTS[0], tables[1], temperature, seed)]
        drawn.add(tuple(texts[0]))
    assert len(drawn) > 1


@pytest.mark.parametrize("language", range(len(LANGUAGES)))
def test_rows_of_a_batch_write_what_they_write_alone(denoisers, tables, language):
    for denoiser in denoisers[:3]:
        together, _ = run(denoiser, PROMPTS, tables[language])
        assert together == [run(denoiser, [prompt], tables[language])[0][0] for prompt in PROMPTS]


@pytest.mark.parametrize(
    ("kind", "settings"), [("mistral", {"sliding_window": 6}), ("mamba", {}), ("llama", {"dtype": torch.bfloat16})]
)
def test_models_with_other_memories_and_numbers(tokenizer, tables, kind, settings):
    made = CausalDenoiser.from_transformers(network(5, kind, **settings), tokenizer)
    assert made._caches == (kind != "mamba")
    for prompt in PROMPTS[:2]:
        assert run(made, [prompt], tables[0])[0] == [left_to_right(made, prompt, tables[0])]
    if kind != "mamba":
        assert run(made, PROMPTS, tables[0])[0] == [left_to_right(made, prompt, tables[0]) for prompt in PROMPTS]
