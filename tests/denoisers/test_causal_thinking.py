"""A causal model that may think before it answers: the thought closes in time, and greedy is still left to right."""

import json
from itertools import takewhile

import pytest
import torch

from dgsolve import Model
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import UsageError
from tests.denoisers.tiny_causal import byte_level, network

SCHEMA = {"enum": ["Ana", "Maria", 34]}


@pytest.fixture(scope="module")
def tokenizer():
    # markers are no special tokens, as in the tokenizers that have them
    made = byte_level(290, '{"name": "Maria Lopez", "age": 34}', "<think>", "</think>")
    made.chat_template = "{{ messages[0].content }}{% if enable_thinking %} Think!{% endif %}"
    return made


def model(tokenizer, seed: int) -> Model:
    return Model(CausalDenoiser.from_transformers(network(seed, size=len(tokenizer)), tokenizer))


@torch.inference_mode()
def left_to_right(made: Model, prompt: str, allowed) -> list[int]:
    """One token at a time, everything computed afresh; `allowed` says which tokens fit after those written."""
    ids, written = made.denoiser.tokenizer(prompt)["input_ids"], []
    while not written or written[-1] != 0:
        logits = made.denoiser.model(torch.tensor([ids + written])).logits[0, -1]
        written.append(max(allowed(written), key=lambda token: float(logits[token])))
    return written


@pytest.mark.parametrize("seed", range(4))
def test_it_thinks_as_left_to_right_decoding_would(tokenizer, seed):
    made = model(tokenizer, seed)
    vocabulary = made.denoiser.text
    opening, closing = (tokenizer.convert_tokens_to_ids(name) for name in ("<think>", "</think>"))
    text = [t for t, piece in enumerate(vocabulary.pieces) if piece is not None and t not in (opening, closing)]
    blank = [t for t in text if vocabulary.pieces[t].isspace() and set(vocabulary.pieces[t]) <= set(b" \n")]
    answers = [json.dumps(value).encode() for value in SCHEMA["enum"]]

    def allowed(written):
        if closing not in written:
            if len(written) == 7:
                return [closing]
            return [*text, closing, *([opening] if not written else [])]
        after = written[written.index(closing) + 1 :]
        gap = len(list(takewhile(blank.__contains__, after)))
        start = vocabulary.decode(after[gap:])
        fits = [t for t in text if any(answer.startswith(start + vocabulary.pieces[t]) for answer in answers)]
        fits += blank if gap == len(after) < 4 else []
        return fits if start not in answers else [0]

    result = made.run("Who?", SCHEMA, max_new_tokens=40, thinking=8, instruct=False)
    written = left_to_right(made, "Who? Think!", allowed)
    assert list(result.solution.values[: len(written)]) == written
    assert result.output in SCHEMA["enum"] and json.loads(result.text) == result.output
    assert "think>" not in result.thought and set(result.confidence) == {""}
    assert made.run("Who?", SCHEMA, max_new_tokens=40).thought is None


def test_a_model_without_markers_says_so(tokenizer):
    made = model(tokenizer, 0)
    with pytest.raises(UsageError, match="'<reason>' is no token of its own"):
        made.run("Who?", SCHEMA, thinking=8, thinking_markers=("<reason>", "</think>"))
    given = made.run("Who?", SCHEMA, max_new_tokens=40, thinking=8, thinking_markers=("<think>", "</think>"))
    assert given.thought == made.run("Who?", SCHEMA, max_new_tokens=40, thinking=8).thought
