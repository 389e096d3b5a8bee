"""DiffusionGemma as a denoiser: its passes are the model's own, restricted canvases, texts and grids through it."""

from __future__ import annotations

import ast
import copy
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import dgsolve
from dgsolve.denoisers.base import Denoiser
from dgsolve.denoisers.diffusion_gemma import DiffusionGemmaDenoiser
from dgsolve.denoisers.diffusion_gemma_state import DiffusionState
from dgsolve.denoisers.shown_prompt import ShownPrompt
from dgsolve.denoisers.written_canvas import WrittenCanvas
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.forms.text_forms import RegexForm
from dgsolve.loading import from_transformers, load
from dgsolve.loop import solve, solve_many
from dgsolve.model import Model
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.text import Text
from dgsolve.randomness import Stream
from dgsolve.sampling.drafting import Draft
from dgsolve.solution import Frame, Status
from tests.denoisers.tiny_causal import byte_level
from tests.denoisers.tiny_diffusion_gemma import (
    BLOCK,
    SIZE,
    WINDOW,
    Numbers,
    tiny_denoiser,
    tiny_model,
    tiny_vocabulary,
)

LENGTHS = (5, WINDOW - 1, WINDOW, 23)
SMALL = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 5}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


def prompts() -> list[tuple[int, ...]]:
    generator = torch.Generator().manual_seed(2)
    return [tuple(torch.randint(3, SIZE, (length,), generator=generator).tolist()) for length in LENGTHS]


def begun(denoiser: DiffusionGemmaDenoiser, asked: list[tuple[int, ...]]) -> DiffusionState:
    """Rows of several prompts, in a canvas of blocks."""
    words = [" ".join(map(str, prompt)) for prompt in asked]
    problems = [Text(RegexForm("[0-9]*"), denoiser.text, text, 3 * BLOCK, BLOCK) for text in words]
    states = [denoiser.start(problem, problem.canvas(denoiser.text)) for problem in problems]
    first, *others = states
    for other in others:
        first = first.append(other)
    return first


def models_own(denoiser: DiffusionGemmaDenoiser, ids: list[int], canvas: Tensor) -> Tensor:
    return denoiser.model(input_ids=torch.tensor([ids]), decoder_input_ids=canvas[None]).logits[0]


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_a_pass_is_the_models_own_whatever_the_other_rows_are(attention: str) -> None:
    denoiser = DiffusionGemmaDenoiser(tiny_model(0.1, attention=attention), Numbers(), tiny_vocabulary())
    asked, state = prompts(), begun(denoiser, prompts())
    tokens = torch.randint(3, SIZE, (len(asked), 3 * BLOCK), generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        for settled in ([0, 0, 0, 0], [16, 0, 16, 0], [32, 16, 16, 0]):
            state = denoiser.settle(state, torch.tensor(settled))
            logits, state = denoiser.denoise(tokens, state)
            for row, (prompt, done) in enumerate(zip(asked, settled, strict=True)):
                read = [*prompt, *tokens[row, :done].tolist()]
                right = models_own(denoiser, read, tokens[row, done : done + BLOCK])
                assert torch.allclose(logits[row], right, atol=1e-5), (settled, row)
        some = state.rows(torch.tensor([2, 0]))
        assert torch.allclose(denoiser.denoise(tokens[[2, 0]], some)[0], logits[[2, 0]], atol=1e-5)


def test_a_restricted_canvas_multiplies_its_own_rows_alone_and_says_the_same() -> None:
    denoiser, ids = tiny_denoiser(0.1), torch.tensor([52, 53, 54, 55])  # the digits 1 to 4 among the bytes
    written = WrittenCanvas.of_symbols(ids.tolist(), [None] * BLOCK, BLOCK, [1, 0])
    whole = WrittenCanvas.of_tokens(BLOCK)
    signal = torch.zeros(BLOCK, 32, dtype=torch.double)
    both = [DiffusionState.start(ShownPrompt((7, 8, 9)), 1, way, signal, denoiser._windows) for way in (written, whole)]
    values = torch.randint(4, (1, BLOCK), generator=torch.Generator().manual_seed(4))
    few, state = denoiser.denoise(values, both[0])
    all_tokens, full = denoiser.denoise(ids[values], both[1])
    assert few.shape == (1, BLOCK, 4) and torch.allclose(few, all_tokens[..., ids], atol=1e-6)

    inside = all_tokens.double().softmax(-1)[..., ids]
    inside = inside / inside.sum(-1, keepdim=True)  # the exact posterior of one domain for all slots
    over_all = torch.zeros_like(all_tokens, dtype=torch.double).index_copy(2, ids, inside)
    conditioned = [
        denoiser.condition(state, _believing(inside), "posterior"),
        denoiser.condition(full, _believing(over_all), "posterior"),
    ]
    assert torch.allclose(conditioned[0].signal, conditioned[1].signal, atol=1e-9)
    assert float(conditioned[0].signal.abs().max()) > 0


class _Believed:
    def __init__(self, marginals: Tensor) -> None:
        self.marginals = marginals


def _believing(marginals: Tensor) -> Draft:
    zeros = torch.zeros(marginals.shape[:2])
    fields = (zeros.long(), zeros.long(), zeros, zeros, zeros > 1, zeros[:, 0].long())
    return Draft(*fields, _Believed(marginals), zeros, zeros)  # type: ignore[arg-type]


def test_json_comes_out_valid_over_block_borders_and_the_same_in_any_batch() -> None:
    generator = Model(tiny_denoiser(0.1)).generator(SMALL, max_new_tokens=2 * BLOCK + 5, instruct=False)
    asked = [" ".join(map(str, prompt)) for prompt in prompts()]
    alone = [generator(prompt, seed=3, max_denoising_steps=8) for prompt in asked]
    assert all(set(value) == {"a", "b"} and len(value["b"]) <= 5 for value in alone)
    assert list(generator.batch(asked, seed=3, max_denoising_steps=8)) == alone
    assert generator(asked[0], seed=4, max_denoising_steps=8) != alone[0]
    result = generator.run(asked[0], seed=3, max_denoising_steps=8)
    assert 2 * 8 < result.steps <= 3 * 8 and result.usage.prompt_tokens == LENGTHS[0]


@pytest.mark.parametrize("lines", [False, True])
def test_a_sudoku_is_asked_in_words_and_written_between_locked_tokens(lines: bool) -> None:
    tokenizer = byte_level(SIZE - 2, "Solve this Sudoku: 1234")
    denoiser = DiffusionGemmaDenoiser.from_transformers(_with_canvas(32), tokenizer, lines=lines)
    puzzle = Sudoku.parse("1.3. ..2. .1.. 4...")
    state = denoiser.start(puzzle, puzzle.canvas(denoiser.vocabulary(puzzle)))
    text = b"".join(denoiser.text.pieces[token] or b"" for token in state.prompts[0].ids).decode()
    assert text == "Solve this Sudoku:\n" + ("1.3.\n..2.\n.1..\n4..." if lines else "1.3...2..1..4...")
    canvas = state.written.write(torch.zeros(1, 16, dtype=torch.long))[0].tolist()
    spelled = [denoiser.text.pieces[token] for token in canvas[: 19 if lines else 16]]
    assert b"".join(spelled).decode() == ("1111\n" * 4).rstrip() if lines else "1" * 16
    vocabulary = denoiser.vocabulary(puzzle)
    noise = denoiser.noise(puzzle.canvas(vocabulary), vocabulary, Stream(torch.ones(1).long()))
    written = state.written.write(noise)[0, state.written.places]
    assert all(denoiser.text.pieces[token] == b"%d" % value for token, value in zip(
        written[[0, 2, 6, 9, 12]].tolist(), (1, 3, 2, 1, 4), strict=True))  # fmt: skip
    assert len({*written.tolist()} - {*state.written.ids.tolist()}) > 8, "noise is uniform over all of the vocabulary"
    assert canvas[len(spelled)] == denoiser.text.turn_end and set(canvas[len(spelled) + 1 :]) == {denoiser.text.pad_id}
    solution = solve(puzzle, denoiser, max_denoising_steps=64)
    assert solution.status is Status.FEASIBLE and puzzle.check(solution.answer).valid


def _with_canvas(slots: int) -> Any:
    model = copy.deepcopy(tiny_model(0.1))
    model.config.canvas_length = slots
    return model


class Counting(DiffusionGemmaDenoiser):
    """Counts the rows of each pass."""

    rows: list[int]

    def denoise(self, tokens: Tensor, state: DiffusionState) -> tuple[Tensor, DiffusionState]:
        self.rows.append(len(tokens))
        return super().denoise(tokens, state)


def test_finished_rows_are_not_computed_any_more() -> None:
    denoiser = Counting(tiny_model(0.1), Numbers(), tiny_vocabulary())
    denoiser.rows = []
    form = RegexForm("[0-9]{1,40}")
    texts = [Text(form, denoiser.text, prompt, 3 * BLOCK, BLOCK) for prompt in ("3 4 5", "6 7", "8 9 10 11")]
    settings = {"max_denoising_steps": 10, "t_max": 0.02, "t_min": 0.01, "entropy_bound": 8.0, "stop_entropy": 0.4}
    steps = [solution.steps for solution in solve_many(texts, denoiser, **settings)]
    assert len(set(steps)) > 1 and sum(denoiser.rows) == sum(steps)


class Fed(DiffusionGemmaDenoiser):
    """Remembers the canvases of each pass; -1 - t is the model's token t as noise."""

    seen: list[list[int]]

    def denoise(self, tokens: Tensor, state: DiffusionState) -> tuple[Tensor, DiffusionState]:
        self.seen.append(tokens[0].tolist())
        return super().denoise(tokens, state)


@pytest.mark.parametrize("feedback", [True, False])
def test_cells_that_break_a_rule_get_fresh_noise_and_accepted_ones_stay(feedback: bool) -> None:
    tokenizer = byte_level(SIZE - 2, "Solve this Sudoku: 1234")
    denoiser, frames = Fed.from_transformers(_with_canvas(32), tokenizer), list[Frame]()
    assert isinstance(denoiser, Fed)
    denoiser.seen = []
    puzzle = Sudoku.parse("1.3. ..2. .1.. 4...")
    options = {"attempts": 1, "suppose": False, "propagate": False, "entropy_bound": 4.0, "feedback": feedback}
    solve(puzzle, denoiser, max_denoising_steps=12, patience=99, on_frame=frames.append, **options)
    assert len(frames) == len(denoiser.seen) > 3
    kept_though_faulty = 0
    for frame, fed in zip(frames, denoiser.seen[1:], strict=False):
        for slot, token in enumerate(fed):
            if puzzle.givens[slot]:
                assert token == puzzle.givens[slot] - 1
            elif (feedback and frame.faulty[slot]) or not frame.accepted[slot]:
                assert token < 0
            else:
                assert token >= 0
                kept_though_faulty += frame.faulty[slot]
    assert any(
        accepted and fault for frame in frames for accepted, fault in zip(frame.accepted, frame.faulty, strict=True)
    )
    assert (kept_though_faulty > 0) is not feedback


def test_frames_tell_the_block_in_work_and_where_it_stopped_early() -> None:
    denoiser, frames = tiny_denoiser(0.1), list[Frame]()
    text = Text(RegexForm("[0-9]{40,47}"), denoiser.text, "3 4 5", 3 * BLOCK, BLOCK)
    settings = {"max_denoising_steps": 10, "t_max": 0.02, "t_min": 0.01, "entropy_bound": 8.0, "stop_entropy": 0.4}
    solution = solve(text, denoiser, on_frame=frames.append, **settings)
    blocks = [frame.blocks for frame in frames]
    assert all(sum(frame.blocks.steps) == frame.step and frame.blocks.most == 10 for frame in frames)
    ends = [block for block in blocks if block.ended]
    assert [len(block.steps) for block in ends] == [1, 2, 3] and ends[-1] == blocks[-1] and blocks[0].count == 3
    assert sum(ends[-1].steps) == solution.steps and any(block.early for block in ends)
    assert [block.early for block in ends] == [block.steps[-1] < 10 for block in ends]
    for frame in frames:  # blocks that have not begun do not count
        written = text.written(frame.values)
        sure = [share for share, value in zip(frame.probability[:written], frame.values, strict=False) if value >= 0]
        assert frame.confidence == pytest.approx(sum(sure) / len(sure)) and min(sure) > 0


def test_what_cannot_be_read_is_refused() -> None:
    denoiser = tiny_denoiser()
    form = RegexForm("[0-9]*")
    for problem, said in (
        (Text(form, denoiser.text, None, BLOCK, BLOCK), "it has no prompt"),
        (Text(form, denoiser.text, "3 " * 500, BLOCK, BLOCK), r"prompt has 500 tokens .* 512 tokens"),
        (Text(form, denoiser.text, "3 4", BLOCK + 1), "a text of 17 slots is no whole number of blocks of 16"),
    ):
        with pytest.raises(UsageError, match=said):
            denoiser.start(problem, problem.canvas(denoiser.text))
    with pytest.raises(UsageError, match="a 9x9 grid takes 82 slots"):
        denoiser._written(Sudoku.parse("." * 81), 81)


def test_a_folder_is_loaded_by_what_its_configuration_says(tmp_path: Any) -> None:
    tokenizer = byte_level(SIZE - 2, "Solve this Sudoku: 1234")
    assert isinstance(from_transformers(tiny_model(), tokenizer).denoiser, DiffusionGemmaDenoiser)
    copy.deepcopy(tiny_model()).float().save_pretrained(tmp_path / "small")
    tokenizer.save_pretrained(tmp_path / "small")
    model = load(tmp_path / "small", device="cpu")
    assert isinstance(model, Model) and isinstance(model.denoiser, DiffusionGemmaDenoiser)
    assert model.name == "small" and model.denoiser.weights == tmp_path / "small" / "model.safetensors"
    with pytest.raises(UsageError, match="unknown option 'window'"):
        load(tmp_path / "small", window=3)
    (tmp_path / "small" / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailableError, match="has no weights"):
        load(tmp_path / "small")


def test_it_is_a_denoiser_of_the_seam() -> None:
    denoiser: Denoiser = tiny_denoiser()
    assert denoiser.canvas_slots == BLOCK and denoiser.sampling.stable_steps == 1
    assert denoiser.sampling.renoise == "rejected" and denoiser.sampling.entropy_bound == 0.1


def test_the_settings_on_the_page_are_the_recommended_ones() -> None:
    page = (Path(__file__).parents[2] / "docs" / "diffusion_gemma.md").read_text("utf-8")
    section = page.split("## Settings")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|", section, re.MULTILINE)
    names = [(name, value) for cells, values in rows for name, value in zip(
        re.findall(r"`(\w+)`", cells), values.strip().split(", "), strict=True)]  # fmt: skip
    said = {name: ast.literal_eval(value) for name, value in names if name != "seed"}
    sampling = tiny_denoiser().sampling
    assert said == {name: getattr(sampling, name) for name in said} and len(said) == 10


def test_a_prompt_without_room_fails_alone_in_a_batch() -> None:
    model = Model(tiny_denoiser())
    prompts = ["17 4", "9 " * 600, "3"]
    written = model.generator(dgsolve.Regex("[0-9]"), instruct=False)
    found = list(written.batch(prompts, return_exceptions=True, max_denoising_steps=2))
    assert [type(part) for part in found] == [str, UsageError, str] and "600 tokens" in found[1].message
    outputs = written.batch(prompts, max_denoising_steps=2)
    assert next(outputs) == found[0]
    with pytest.raises(UsageError, match="600 tokens and the answer may have 256"):
        next(outputs)


def test_a_grid_that_it_cannot_write_ends_nothing_before_it() -> None:
    denoiser = load("diffusion-gemma").denoiser
    small, large = Sudoku.parse("1...3...4...2..."), Sudoku((0,) * 256)
    assert denoiser.reads(small) and not denoiser.reads(large)
    solutions = solve_many([small, small, large, small], denoiser)
    assert [next(solutions).status, next(solutions).status] == [Status.FEASIBLE] * 2
    with pytest.raises(UsageError, match="256 slots, but the diffusion-gemma denoiser reads 96"):
        next(solutions)


def test_a_marker_of_an_image_in_a_text_is_refused() -> None:
    with pytest.raises(UsageError, match="shows 0 images, and the model's chat template made 1 place") as caught:
        load("diffusion-gemma").generate("What is <|image|>?", dgsolve.Regex("[0-9]"))
    assert "image tokens" in caught.value.hint
