"""A DiffusionGemma thinks first where its template asks for it; the thought is apart from text and history."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import dgsolve
from dgsolve import Choice, Model
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.train.small_model import SmallModel
from dgsolve.train.small_tokenizer import small_tokenizer

COLOURS = Choice(["red", "green", "blue"])
ROOM = {"max_new_tokens": 96, "thinking": 12, "instruct": False}


@pytest.fixture(scope="module")
def model() -> Model:
    """Random weights, with Gemma's markers and a template like its own."""
    made = SmallModel.of_width(32, 2).create(0)
    with torch.no_grad():
        for weight in made.parameters():
            weight.mul_(4)  # sharper than at the start of a training
    return Model(DiffusionGemmaDenoiser.from_transformers(made, small_tokenizer()))


def asked(model: Model, prompt: Any, **options: Any) -> str:
    """The prompt as the encoder reads it."""
    problem = model.generator(COLOURS, **options).problem(prompt)
    state = model.denoiser.start(problem, problem.canvas(model.denoiser.text))
    return str(small_tokenizer().decode(state.prompts[0].ids))


def test_the_prompt_says_that_it_may_think(model: Model) -> None:
    said = [asked(model, "Sky?", **options) for options in (ROOM, {**ROOM, "thinking": None})]
    assert ["<|think|>" in prompt for prompt in said] == [True, False]


@pytest.mark.parametrize("seed", range(3))
def test_the_thought_is_apart_from_the_answer_and_out_of_the_history(model: Model, seed: int) -> None:
    result = model.run("Sky?", COLOURS, seed=seed, draw=True, max_denoising_steps=4, **ROOM)
    assert result.output == result.text and result.text in ("red", "green", "blue")
    assert result.thought is not None and 0 < result.usage.thinking_tokens <= 12
    values = list(result.solution.values)
    closing = small_tokenizer().convert_tokens_to_ids("<channel|>")
    assert values.count(closing) == 1 and values.index(closing) < 12, "closed in time"
    assert result.solution.problem.decode(values) == result.text

    turns = [("user", "Sky?"), ("assistant", result.output), ("user", "And the sea?")]
    history = [{"role": role, "content": content} for role, content in turns]
    read = asked(model, history, **ROOM)
    assert f"<|turn>model\n{result.text}<turn|>" in read and "channel" not in read
    assert len(result.thought) < 4 or result.thought not in read


def test_thoughts_of_a_batch_are_those_of_each_prompt_alone(model: Model) -> None:
    generator = model.generator(COLOURS, **ROOM)
    settings = {"seed": 1, "max_denoising_steps": 4}
    alone = [generator.run(prompt, **settings) for prompt in ("Sky?", "What is the colour of the sea?")]
    assert list(generator.batch(["Sky?", "What is the colour of the sea?"], **settings)) == [
        result.output for result in alone
    ]
    assert len({result.thought for result in alone}) == 2


def test_without_markers_it_is_told(model: Model) -> None:
    with pytest.raises(dgsolve.UsageError, match="'<reason>' is no token of its own"):
        model.run("Sky?", COLOURS, thinking=8, thinking_markers=("<reason>", "<channel|>"))
