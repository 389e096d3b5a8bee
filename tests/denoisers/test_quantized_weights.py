"""Weights in 8 and 4 bits: as small as said, close to the whole ones, shared where those were shared."""

from __future__ import annotations

import io
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import dgsolve
from dgsolve import Choice, ModelUnavailableError, Sudoku, UsageError
from dgsolve.denoisers import model_loading
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.denoisers.quantized_weights import GROUP, QuantizedWeight, quantize, quantized_bytes
from dgsolve.weights import adapter_path
from tests.denoisers.tiny_diffusion_gemma import BLOCK, Numbers, tiny_model, tiny_vocabulary

SMALL = adapter_path("diffusion-gemma")
CPU = torch.device("cpu")


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("columns", [1, 31, GROUP, 100])
def test_every_number_is_within_half_a_step(columns: int, dtype: torch.dtype) -> None:
    weight = (drawn(5, columns) * torch.tensor([[0.01], [1], [3], [0], [1]])).to(dtype)
    rounding = torch.finfo(torch.bfloat16 if dtype == torch.bfloat16 else torch.float16).eps
    eight = QuantizedWeight(weight, 8, CPU).whole()
    assert eight.dtype == dtype and eight.shape == weight.shape
    largest = weight.double().abs().amax(-1, keepdim=True)
    assert ((eight - weight).double().abs() <= largest * (0.5 / 127 + 0.004 + rounding)).all()
    four = QuantizedWeight(weight, 4, CPU).whole().double()
    for at in range(0, columns, GROUP):
        part, made = weight[:, at : at + GROUP].double(), four[:, at : at + GROUP]
        step = part.abs().amax(-1, keepdim=True) / 8
        assert ((made - part).abs() <= step * (1.04 + 8 * rounding)).all()  # at the far end, else half of it
        near = part.abs() < step * 6.9
        assert ((made - part).abs() <= step * (0.54 + 8 * rounding))[near].all()
    assert not four[3].any()


def test_a_stack_gives_one_matrix_at_a_time() -> None:
    stack = drawn(3, 4, 40)
    for bits in (8, 4):
        kept = QuantizedWeight(stack, bits, CPU)
        for number in range(3):
            assert torch.equal(kept[torch.tensor(number)], QuantizedWeight(stack[number], bits, CPU).whole())
        assert torch.equal(kept[1], kept.whole()[1])


def kept_bytes(model: nn.Module) -> int:
    """What a model really holds, without the positions and limits that are no weights."""
    numbers = [t for m in model.modules() if isinstance(m, QuantizedWeight) for t in (m.numbers, m.scale)]
    return sum({id(t): t.numel() * t.element_size() for t in [*model.parameters(), *numbers]}.values())


@pytest.mark.parametrize("bits", [None, 8, 4])
def test_a_model_holds_what_its_configuration_says(bits: int | None) -> None:
    from transformers import DiffusionGemmaForBlockDiffusion

    bare = model_loading._without_weights(DiffusionGemmaForBlockDiffusion, str(SMALL))
    model = DiffusionGemmaForBlockDiffusion.from_pretrained(SMALL)
    if bits is not None:
        quantize(model, bits, CPU)
    said, whole = quantized_bytes(bare, bits)
    assert kept_bytes(model) == said
    linear = [name for name, module in model.named_modules() if type(module) is nn.Linear]
    assert all("router" in name or "vision" in name or name == "lm_head" for name in linear) is (bits is not None)
    stays = ("embed", "router", "vision", "norm", "scalar")
    named = sum(4 * weight.numel() for name, weight in bare.named_parameters() if any(word in name for word in stays))
    assert whole == (said if bits is None else named)


def test_encoder_and_decoder_go_on_sharing() -> None:
    model = deepcopy(tiny_model(0.1))
    quantize(model, 4, CPU)
    encoder, decoder = model.model.encoder.language_model.layers, model.model.decoder.layers
    for reads, writes in zip(encoder, decoder, strict=True):
        assert reads.self_attn.q_proj is writes.self_attn.q_proj
        assert reads.experts.gate_up_proj is writes.experts.gate_up_proj
    assert model.lm_head.weight is model.model.decoder.embed_tokens.weight


def logits(model: Any) -> torch.Tensor:
    seed = torch.Generator().manual_seed(1)
    ids, canvas = (torch.randint(3, 512, (4, length), generator=seed) for length in (24, 96))
    with torch.inference_mode():
        return model(input_ids=ids, decoder_input_ids=canvas).logits


def test_what_it_says_is_close_and_closer_in_8_bits() -> None:
    from transformers import DiffusionGemmaForBlockDiffusion

    right, off = logits(DiffusionGemmaForBlockDiffusion.from_pretrained(SMALL)), {}
    for bits in (8, 4):
        model = DiffusionGemmaForBlockDiffusion.from_pretrained(SMALL)
        quantize(model, bits, CPU)
        off[bits] = float((logits(model) - right).norm() / (right - right.mean(-1, keepdim=True)).norm())
    assert 0 < off[8] < 0.02 and 2 * off[8] < off[4] < 0.2, off


@pytest.mark.parametrize("name", ["8bit", "4bit"])
def test_the_small_model_solves_as_well_and_writes_in_form(name: Any) -> None:
    model = dgsolve.load(SMALL, device="cpu", quantize=name)
    whole = dgsolve.load(SMALL, device="cpu")
    for puzzle in ("1...\n..1.\n.4..\n...3", "3....4.......2.4"):
        found, right = (dgsolve.solve(Sudoku.parse(puzzle), each) for each in (model, whole))
        assert found.status.value == "FEASIBLE" and found.answer == right.answer
        assert found.steps <= right.steps + 2
    assert model.generate("?", Choice(["red", "blue"])) in ("red", "blue")


def test_a_causal_model_is_quantised_too(denoisers: Any, tokenizer: Any, tmp_path: Path) -> None:
    denoisers[0].model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    model = dgsolve.load(tmp_path, device="cpu", quantize="8bit")
    held = [module for module in model.denoiser.model.modules() if isinstance(module, QuantizedWeight)]
    assert len(held) == 2 * 7, "four of attention and three of the rest in each layer"
    assert model.generate("?", Choice(["a", "b"]), max_new_tokens=4, instruct=False) in ("a", "b")


def test_what_cannot_be_is_said_before_weights_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import DiffusionGemmaForBlockDiffusion

    monkeypatch.setattr(DiffusionGemmaForBlockDiffusion, "from_pretrained", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(UsageError, match="quantize='5bit': write '8bit' or '4bit'"):
        dgsolve.load(SMALL, quantize="5bit")
    with pytest.raises(UsageError, match="relational has no option 'quantize'"):
        dgsolve.load("relational", quantize="4bit")
    monkeypatch.setattr(model_loading, "_free_bytes", lambda device: 1_500_000)
    for name in (None, "8bit"):
        with pytest.raises(ModelUnavailableError, match=r"needs 0\.0 GB for its weights") as raised:
            dgsolve.load(SMALL, device="cpu", quantize=name)
        assert "quantize='4bit'" in raised.value.hint
    told: list[str] = []
    with pytest.raises(pytest.fail.Exception, match="it was read"):  # 1.3 MB are room enough for 4 bits
        dgsolve.load(SMALL, device="cpu", quantize="4bit", progress=told.append)
    assert told == ["Quantising to 4bit: 0.0 GB, of which 0.0 GB stay whole"]


def test_rows_are_the_same_alone_and_together() -> None:
    model = deepcopy(tiny_model(0.1))
    quantize(model, 4, CPU)
    writer = dgsolve.Model(DiffusionGemmaDenoiser(model, Numbers(), tiny_vocabulary()))
    made = writer.generator(Choice(["red", "green", "blue"]), max_new_tokens=BLOCK, instruct=False)
    prompts = ["3 4 5", "9 8", "7 7 7 7"]
    assert list(made.batch(prompts)) == [made(prompt) for prompt in prompts]


def test_the_page_shows_what_the_script_says() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, root / "benchmarks/model_memory.py"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    assert made.stdout in (root / "docs/diffusion_gemma.md").read_text("utf-8")


def test_the_commands_take_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from dgsolve.cli.app import run

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
    asked = ["sudoku", "3....4.......2.4", "--denoiser", str(SMALL), "--no-fallback", "--quantize"]
    assert run([*asked, "4bit"]) == 0
    assert capsys.readouterr().out.strip() == "3142241343211234"
    assert run([*asked, "5bit"]) == 2
    assert "'5bit' is not one of '8bit', '4bit'" in capsys.readouterr().err
    written = ["json", "?", "--schema", '{"enum": ["a", "b"]}', "--max-new-tokens", "9"]
    assert run([*written, "--model", "random", "--quantize", "8bit"]) == 2
    assert "random has no option 'quantize'" in capsys.readouterr().err
