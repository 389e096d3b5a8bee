"""Images before the text of a prompt: every step as in Transformers' generate, once encoded, each row its own."""

from __future__ import annotations

import io
import sys
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch import Tensor

import dgsolve
from dgsolve import Choice, Model, ModelUnavailableError, UsageError
from dgsolve.chat import read
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.denoisers.image_reader import ImageReader
from dgsolve.forms.text_forms import RegexForm
from dgsolve.loop import solve_many
from dgsolve.problems.text import Text
from tests.denoisers.generate_recorded import recorded
from tests.denoisers.test_diffusion_gemma_steps import SETTINGS, SPREAD, Watched, as_theirs, as_transformers_adds
from tests.denoisers.tiny_diffusion_gemma import (
    BEGIN_IMAGE,
    BLOCK,
    END_IMAGE,
    IMAGE,
    SIZE,
    ShownNumbers,
    tiny_model,
    tiny_vocabulary,
)

pytest.importorskip("PIL", reason="Pillow is not installed: pip install 'dgsolve[images]'")

from PIL import Image as pillow

SHAPES = [(96, 60), (40, 130), (64, 64)]  # wide, high, square


def picture(number: int) -> Any:
    width, height = SHAPES[number % 3]
    generator = torch.Generator().manual_seed(number)
    noise = torch.randint(256, (width * height * 3,), generator=generator, dtype=torch.uint8)
    return pillow.frombytes("RGB", (width, height), bytes(noise.tolist()))


def numbers(length: int) -> list[int]:
    generator = torch.Generator().manual_seed(length)
    return torch.randint(3, BEGIN_IMAGE, (length,), generator=generator).tolist()


def said(ids: list[int]) -> str:
    return " ".join(map(str, ids))


@pytest.fixture(scope="module")
def processor() -> Any:
    from transformers.models.gemma4.image_processing_pil_gemma4 import Gemma4ImageProcessorPil

    return Gemma4ImageProcessorPil(max_soft_tokens=70)


@pytest.fixture
def denoiser(processor: Any) -> DiffusionGemmaDenoiser:
    model = tiny_model(SPREAD, sees=True)
    return DiffusionGemmaDenoiser(model, ShownNumbers(), tiny_vocabulary(), images=ImageReader(processor))


ROWS = {
    "one image": [([1], 7)],
    "images, none, two": [([0], 7), ([], 20), ([1, 2], 13)],
}


def as_generate_takes(rows: list[tuple[list[int], int]], processor: Any) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Ids, mask and pixels, as Transformers' processor would write them."""
    seen = [picture(number) for shown, _ in rows for number in shown]
    made = processor(seen, return_tensors="pt")
    sizes = iter(made["num_soft_tokens_per_image"].tolist())
    prompts = []
    for shown, length in rows:
        before = [[BEGIN_IMAGE, *[IMAGE] * next(sizes), END_IMAGE] for _ in shown]
        prompts.append([*chain(*before), *numbers(length)])
    longest = max(map(len, prompts))
    ids = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts])
    mask = torch.tensor([[False] * (longest - len(prompt)) + [True] * len(prompt) for prompt in prompts])
    pixels = {name: made[name] for name in ("pixel_values", "image_position_ids")}
    return ids, mask, {**pixels, "mm_token_type_ids": (ids == IMAGE).int()}


def ours(denoiser: DiffusionGemmaDenoiser, rows: list[tuple[list[int], int]], slots: int, **settings: Any) -> list[Any]:
    denoiser.drafting = watched = Watched()
    form = RegexForm(r"[\s\S]*")
    prompts = [read(said(numbers(length)), [picture(number) for number in shown]) for shown, length in rows]
    problems = [Text(form, denoiser.text, prompt, slots, BLOCK) for prompt in prompts]
    given = {"locks": False, "feedback": False, "self_conditioning": "logits", **settings}
    with patch("dgsolve.denoisers.diffusion_gemma.self_conditioning", as_transformers_adds):
        list(solve_many(problems, denoiser, seed=5, **given))
    return [watched.steps[row] for row in range(len(rows))]


@pytest.mark.parametrize("name", ["as published", "cold, stops early"])
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_every_step_equals_generate(
    denoiser: DiffusionGemmaDenoiser, processor: Any, rows: list[tuple[list[int], int]], name: str
) -> None:
    settings, slots = SETTINGS[name], 2 * BLOCK
    ids, mask, pixels = as_generate_takes(rows, processor)
    reference = recorded(denoiser.model, ids, mask, 5, slots, **pixels, **as_theirs(settings))
    mine = ours(denoiser, rows, slots, **settings)
    for row, (steps, expected) in enumerate(zip(mine, reference.steps, strict=True)):
        for number, (step, right) in enumerate(zip(steps, expected, strict=False)):
            assert step == right, f"row {row}, step {number}"
        assert len(steps) == len(expected), f"row {row}"


def test_a_row_is_what_it_is_alone_and_another_image_changes_it(denoiser: DiffusionGemmaDenoiser) -> None:
    rows, settings = ROWS["images, none, two"], SETTINGS["as published"]
    together = ours(denoiser, rows, BLOCK, **settings)
    for row, steps in zip(rows, together, strict=True):
        assert ours(denoiser, [row], BLOCK, **settings) == [steps]
    shown, length = rows[0]
    for others in ([number + 3 for number in shown], []):
        assert ours(denoiser, [(others, length)], BLOCK, **settings) != [together[0]]


def test_an_image_is_encoded_once_for_all_rows_and_blocks(denoiser: DiffusionGemmaDenoiser) -> None:
    passes = []
    tower = denoiser.model.model.encoder.vision_tower
    hook = tower.register_forward_hook(lambda module, given, made: passes.append(len(made.last_hidden_state)))
    ours(denoiser, [([0], 7), ([0], 7), ([0], 7)], 2 * BLOCK, **SETTINGS["as published"])
    hook.remove()
    assert len(passes) == 1


COLOURS = Choice(["red", "green", "blue"])
QUICK = {"max_denoising_steps": 4, "max_new_tokens": BLOCK, "instruct": False}
PROMPT = said(numbers(9))


def certainty(result: Any) -> float:
    return result.confidence[""]


def test_every_call_takes_images(denoiser: DiffusionGemmaDenoiser, tmp_path: Path) -> None:
    import asyncio

    model, image = Model(denoiser), picture(0)
    image.save(tmp_path / "seen.png")
    shown = model.run(PROMPT, COLOURS, images=[image], **QUICK)
    assert certainty(shown) != certainty(model.run(PROMPT, COLOURS, **QUICK))
    assert shown.usage.prompt_tokens > 9 + 2
    file, data = tmp_path / "seen.png", (tmp_path / "seen.png").read_bytes()
    for source in (str(file), file, data):
        assert certainty(model.run(PROMPT, COLOURS, images=[source], **QUICK)) == certainty(shown)
    parts = [{"type": "image", "path": str(file)}, {"type": "text", "text": PROMPT}]
    assert certainty(model.run([{"role": "user", "content": parts}], COLOURS, **QUICK)) == certainty(shown)
    assert model.generate(PROMPT, COLOURS, images=[image], **QUICK) == shown.output
    assert asyncio.run(model.agenerate(PROMPT, COLOURS, images=[image], **QUICK)) == shown.output
    made = model.generator(COLOURS, max_new_tokens=BLOCK, instruct=False)
    *_, last = made.stream(PROMPT, images=[image], max_denoising_steps=4)
    assert last.result is not None and certainty(last.result) == certainty(shown)
    lists = [[image], None, [image, picture(1)]]
    alone = [made(PROMPT, images=images, max_denoising_steps=4) for images in lists]
    assert list(made.batch([PROMPT] * 3, images=lists, max_denoising_steps=4)) == alone


@pytest.mark.parametrize("shape", [(300, 1), (1, 300), (3, 3), (2000, 1500)])
def test_json_is_kept_with_images_of_any_shape(denoiser: DiffusionGemmaDenoiser, shape: tuple[int, int]) -> None:
    schema = {"properties": {"a": {"type": "boolean"}}, "required": ["a"], "additionalProperties": False}
    image = pillow.new("RGB", shape, (255, 0, 0))
    found = Model(denoiser).generate(PROMPT, {"type": "object", **schema}, images=[image], **QUICK)
    assert set(found) == {"a"} and isinstance(found["a"], bool)


def test_what_cannot_be_shown_is_refused_before_a_pass(denoiser: DiffusionGemmaDenoiser, tmp_path: Path) -> None:
    model, image = Model(denoiser), picture(0)
    denoiser.model.register_forward_pre_hook(lambda *_: pytest.fail("the model ran"))
    generator = model.generator(COLOURS, max_new_tokens=BLOCK, instruct=False)
    with pytest.raises(UsageError, match=r"\(\d+ of them for 8 images\) and the answer .* 512 tokens") as raised:
        generator(PROMPT, images=[image] * 8)
    assert raised.value.hint.startswith("Show fewer images")
    with pytest.raises(UsageError, match="there is no list of images number 2"):
        list(generator.batch([PROMPT, PROMPT], images=[[image]]))
    with pytest.raises(UsageError, match="there is no prompt number 2"):
        list(generator.batch([PROMPT], images=[[image], None]))
    with pytest.raises(UsageError, match="write a list of images"):
        generator(PROMPT, images="seen.png")
    with pytest.raises(UsageError, match=r"shows 1 image, .* made 2 places"):
        generator(f"{IMAGE} {PROMPT}", images=[image])
    denoiser.model._forward_pre_hooks.clear()


def test_models_that_cannot_see_say_so(tmp_path: Path) -> None:
    blind = DiffusionGemmaDenoiser(tiny_model(SPREAD), ShownNumbers(), tiny_vocabulary())
    with pytest.raises(UsageError, match="came without an image processor") as raised:
        Model(blind).generate(PROMPT, COLOURS, images=[picture(0)])
    assert "AutoProcessor" in raised.value.hint
    small = dgsolve.load("diffusion-gemma")
    with pytest.raises(UsageError, match=r"diffusion-gemma has no image processor \(preprocessor_config.json or"):
        small.generate("?", COLOURS, images=[picture(0)])
    with pytest.raises(UsageError, match="random reads text alone, and the prompt shows images"):
        dgsolve.load("random").generate("?", COLOURS, images=[picture(0)])


@pytest.fixture(scope="module")
def folder(processor: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that sees, saved with a tokenizer of bytes and its image processor."""
    import json

    from tests.denoisers.tiny_causal import byte_level

    place = tmp_path_factory.mktemp("sees")
    tokenizer = byte_level(SIZE - 30, "What is it?", "<|image>", "<image|>", "<|image|>")
    tokenizer.chat_template = (
        "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
        "{{ '<|image|>' if p.type == 'image' else p.text }}{% endfor %}{% endif %}{% endfor %}"
    )
    tiny_model(SPREAD, sees=True).save_pretrained(place)
    tokenizer.save_pretrained(place)
    processor.save_pretrained(place)
    config = json.loads((place / "config.json").read_text())
    names = {"boi_token_id": "<|image>", "eoi_token_id": "<image|>", "image_token_id": "<|image|>"}
    config |= {name: tokenizer.convert_tokens_to_ids(token) for name, token in names.items()}
    (place / "config.json").write_text(json.dumps(config))
    return place


def test_a_folder_with_an_image_processor_sees(folder: Path) -> None:
    model = dgsolve.load(folder, device="cpu")
    shown, another = (model.run("What is it?", COLOURS, images=[picture(n)], **QUICK) for n in (0, 3))
    assert certainty(shown) != certainty(another)
    assert shown.usage.prompt_tokens > 50


def test_the_command_shows_images(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dgsolve.cli.app import run

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
    picture(0).save(tmp_path / "a.png")
    picture(1).save(tmp_path / "b.jpg")
    (tmp_path / "c.txt").write_text("no image")
    asked = ["json", "What is it?", "--schema", '{"enum": ["red", "blue"]}', "--max-new-tokens", "16"]
    files = ["--image", str(tmp_path / "a.png"), "--image", str(tmp_path / "b.jpg")]
    assert run([*asked, *files, "--model", str(folder), "--steps", "3"]) == 0
    assert capsys.readouterr().out.strip() in ('"red"', '"blue"')
    with patch("dgsolve.loading.load", side_effect=AssertionError("weights were read")):
        for name, wrong, words in (
            (str(folder), tmp_path / "c.txt", "c.txt is no image that Pillow can read"),
            (str(folder), tmp_path / "none.png", "there is no image"),
            ("adapters/diffusion-gemma", tmp_path / "a.png", "has no image processor"),
            ("smollm2", tmp_path / "a.png", "smollm2 reads text alone"),
        ):
            assert run([*asked, "--image", str(wrong), "--model", name]) == 2
            assert words in capsys.readouterr().err


def test_without_pillow_its_extra_is_named() -> None:
    with (
        patch("dgsolve.images.find_spec", lambda name: None),
        pytest.raises(ModelUnavailableError, match="images need the package Pillow") as raised,
    ):
        read("?", ["a.png"])
    assert raised.value.hint == "Do: pip install 'dgsolve[images]'"
