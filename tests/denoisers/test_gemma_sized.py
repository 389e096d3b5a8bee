"""JSON by DiffusionGemma's classes in the layout of Gemma's tokenizer: 262,144 tokens, bytes, several blocks."""

from __future__ import annotations

import json
from typing import Any

import pytest

import dgsolve
from tests.denoisers.gemma_sized import BEGIN, BLOCK, END, PAD, RESPONSE, TOKENS, TURN_END, gemma_sized, gemma_tokenizer

SCHEMAS: dict[str, Any] = {
    "bytes alone": {"type": "string", "pattern": "^[\u3042-\u3093]{12,14}$"},
    "characters of four bytes": {"enum": ["\U0001f600" * 9, "\U0001f40d" * 10]},
    "an object": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 6, "maxLength": 9},
            "age": {"type": "integer", "minimum": -5, "maximum": 150},
            "rate": {"type": "number", "multipleOf": 0.25},
            "kind": {"enum": ["caf\u00e9", "\u00fcber", "\u6771\u4eac\u90fd"]},
            "tags": {"type": "array", "items": {"enum": ["\u0436", "x", "\u20ac"]}, "minItems": 4, "maxItems": 5},
        },
        "required": ["name", "age", "rate", "kind", "tags"],
        "additionalProperties": False,
    },
}


@pytest.fixture(scope="module")
def model() -> dgsolve.Model:
    return gemma_sized()


def test_the_vocabulary_is_read_in_full(model: dgsolve.Model) -> None:
    text = model.denoiser.text
    assert text is not None and text.size == TOKENS == len(gemma_tokenizer())
    assert (text.end_ids, text.turn_end, text.pad_id) == ((END, TURN_END, RESPONSE), TURN_END, PAD)
    pieces = {piece for piece in text.pieces if piece is not None}
    assert {bytes([byte]) for byte in range(256)} <= pieces and "\u6771\u4eac".encode() in pieces and b" the" in pieces
    assert not any(piece.startswith(b"<unused") for piece in pieces) and text.pieces[BEGIN] is None


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("seed", [0, 1])
def test_json_over_block_borders_is_valid_and_ends_as_the_configuration_says(
    model: dgsolve.Model, name: str, seed: int
) -> None:
    schema, vocabulary = SCHEMAS[name], model.denoiser.text
    frames: list[dgsolve.Frame] = []
    options = {"max_new_tokens": 9 * BLOCK, "max_denoising_steps": 2, "draw": True, "seed": seed}
    result = model.run("Say it", schema, instruct=False, on_frame=frames.append, **options)
    assert dgsolve.compile(schema).accepts(result.text) and json.loads(result.text) == result.output

    values, written = frames[-1].values, result.usage.completion_tokens
    assert vocabulary is not None and written > 2 * BLOCK, "it stands in several blocks"
    text, end, last = values[: written - 1], values[written - 1], -(-written // BLOCK) * BLOCK
    assert end in vocabulary.end_ids
    assert set(values[written:last]) <= {PAD} and set(values[last:]) <= {-1}, "no block begins after the end"
    assert b"".join(vocabulary.pieces[token] or b"" for token in text).decode() == result.text
    if name != "an object":  # a border inside a character, else these cases say nothing
        borders = range(BLOCK, written - 1, BLOCK)
        heads = [b"".join(vocabulary.pieces[token] or b"" for token in text[:border]) for border in borders]
        assert any(head.decode("utf-8", "ignore").encode() != head for head in heads)


def test_every_block_of_a_batch_keeps_its_rows_apart(model: dgsolve.Model) -> None:
    generator = model.generator(SCHEMAS["characters of four bytes"], max_new_tokens=4 * BLOCK, instruct=False)
    prompts, settings = ["Say it", "the name \u6771\u4eac \U0001f600"], {"max_denoising_steps": 2, "seed": 3}
    assert list(generator.batch(prompts, **settings)) == [generator(prompt, **settings) for prompt in prompts]
