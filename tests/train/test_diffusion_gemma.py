"""Training of a small DiffusionGemma, at a size that takes seconds."""

import dataclasses

import pytest
import torch
from transformers import AutoTokenizer, DiffusionGemmaForBlockDiffusion

from dgsolve import chat
from dgsolve.errors import ModelUnavailableError
from dgsolve.train.diffusion_gemma import CHECKPOINT, train, train_step
from dgsolve.train.diffusion_settings import DiffusionSettings
from dgsolve.train.diffusion_state import DiffusionState
from dgsolve.train.pair_files import PairFiles
from dgsolve.train.small_model import SmallModel
from dgsolve.train.small_tokenizer import small_tokenizer
from dgsolve.train.solve_rate import HeldOut, solve_rate
from dgsolve.train.text_pairs import PairTokens, TextPair

# generate() imports torch's compiler, which says this of itself
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated:DeprecationWarning")

SIZES = dataclasses.replace(SmallModel.of_width(32, 2), canvas_length=6)
TINY = DiffusionSettings(sizes=SIZES, batch=8, warmup_steps=1, steps=6, averaging=0.5)
ECHO = [TextPair(f"Say {number}", str(number)) for number in range(10, 20)]


@pytest.fixture
def pairs() -> PairTokens:
    return PairTokens.of_small_model(ECHO, 6)


def weights(state: DiffusionState) -> list[torch.Tensor]:
    return [*state.model.parameters(), *state.average.parameters()]


def test_it_learns_and_its_model_is_loaded_and_answers(pairs, tmp_path) -> None:
    settings = dataclasses.replace(TINY, steps=60, learning_rate=1e-2, matrix_rate=2e-2)
    state = DiffusionState.create(settings)
    reports = []
    train(state, [pairs], tmp_path, save_every=0.0, on_report=reports.append)
    assert len(reports) == 60 and reports[-1]["loss"] < 0.5 * reports[0]["loss"]
    assert state.log == reports

    state.export(tmp_path / "model")
    state.export(tmp_path / "model")  # over itself
    assert {path.name for path in tmp_path.iterdir()} == {"model", CHECKPOINT}
    model = DiffusionGemmaForBlockDiffusion.from_pretrained(tmp_path / "model")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    rates = [solve_rate(each, tokenizer, ECHO, max_denoising_steps=4) for each in (model, state.average, model)]
    assert rates[0] == rates[1] == rates[2] and rates[0].asked == 10 and 1 <= rates[0].steps <= 4


def test_the_same_seed_repeats_and_a_stopped_run_goes_on_to_the_same_weights(pairs, tmp_path) -> None:
    whole, stopped = DiffusionState.create(TINY), DiffusionState.create(TINY)
    train(whole, [pairs], tmp_path)
    stopped.settings = dataclasses.replace(TINY, steps=6)
    generators = [torch.Generator().manual_seed(step) for step in range(3)]
    for generator in generators:  # what train() does, three steps of it
        stopped.set_rates(TINY.rate_factor(stopped.step, 0.0))
        torch.multinomial(torch.ones(1), 1, generator=generator)
        train_step(stopped, pairs, generator)
        stopped.count_step(0.0)
    stopped.save(tmp_path / "half.pt")
    resumed = DiffusionState.load(tmp_path / "half.pt")
    train(resumed, [pairs], tmp_path)
    assert resumed.step == whole.step == 6
    for expected, got in zip(weights(whole), weights(resumed), strict=True):
        torch.testing.assert_close(got, expected)


def test_the_router_can_be_kept(pairs, tmp_path) -> None:
    for train_router in (True, False):
        state = DiffusionState.create(dataclasses.replace(TINY, train_router=train_router))
        before = state.model.model.decoder.layers[0].router.proj.weight.clone()
        train(state, [pairs], tmp_path)
        assert torch.equal(state.model.model.decoder.layers[0].router.proj.weight, before) != train_router


def test_rates_warm_up_and_fall() -> None:
    settings = DiffusionSettings(steps=100, seconds=10.0, warmup_steps=4)
    assert [settings.rate_factor(step, 0.0) for step in (0, 1)] == pytest.approx([0.25, 0.5], abs=1e-3)
    assert settings.rate_factor(50, 0.0) == settings.rate_factor(50, 5.0) == pytest.approx(0.51)
    assert settings.rate_factor(5, 10.0) == settings.rate_factor(100, 1.0) == pytest.approx(0.02)


def test_a_file_that_is_no_checkpoint_is_told(tmp_path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"none")
    with pytest.raises(ModelUnavailableError, match="is no checkpoint of a small DiffusionGemma"):
        DiffusionState.load(tmp_path / CHECKPOINT)


class Parrot(torch.nn.Module):
    """Generates the prompt's last characters, in place of a model."""

    class config:
        canvas_length = 6

    device = torch.device("cpu")

    def generate(self, prompts, attention_mask, max_new_tokens: int, max_denoising_steps: int):
        assert max_new_tokens == 6 and attention_mask.all()

        class Answer:
            end = prompts[:, -5:-4]  # <turn|>
            sequences = torch.cat([prompts, prompts[:, -7:-5], end, torch.zeros_like(prompts[:, :3])], 1)
            tokens_per_forward = torch.full((len(prompts),), 1.5)

        return Answer


def test_the_solve_rate_counts_right_answers_and_steps(pairs) -> None:
    asked = [*ECHO, TextPair("Say 11", "12")]
    rate = solve_rate(Parrot(), pairs.tokenizer, asked, batch=4)
    assert (rate.solved, rate.asked, rate.steps) == (10, 11, 2.0)
    assert rate.texts[0] == "10"


def test_prompts_of_different_lengths_are_padded_and_long_answers_get_more_canvases(monkeypatch) -> None:
    model, tokenizer, given = SIZES.create(0), small_tokenizer(), []
    asked = [TextPair("Say 1", "1"), TextPair("Say a much longer text, 23", "123456"), TextPair("Say 45", "45")]
    generate = model.generate

    def recorded(prompts: torch.Tensor, **options):
        given.append((prompts, options["attention_mask"].bool(), options["max_new_tokens"]))
        return generate(prompts, **options)

    monkeypatch.setattr(model, "generate", recorded)
    rate = solve_rate(model, tokenizer, asked, max_denoising_steps=3)
    assert (rate.solved, rate.asked) == (0, 3) and 1 <= rate.steps <= 6  # of the two canvases
    ((prompts, known, room),) = given
    shown = [row[mask].tolist() for row, mask in zip(prompts, known, strict=True)]
    assert shown == [chat.encode(tokenizer, pair.prompt) for pair in asked]
    assert not (known[:, :-1] & ~known[:, 1:]).any() and room == 12  # padding on the left; six tokens and the end


def test_held_out_prompts_are_asked_from_time_to_time(tmp_path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text('{"prompt": "Say 12", "answer": "12"}\n')
    (tmp_path / "a_held_out.jsonl").write_text('{"prompt": "Say 11", "answer": "11"}\n')
    tests = HeldOut.of(PairFiles.read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"]))
    state, tokenizer = DiffusionState.create(dataclasses.replace(TINY, seconds=1000.0)), small_tokenizer()
    assert tests.words(state, tokenizer, 10.0) == ""
    assert tests.words(state, tokenizer, 300.0) == " · a 0 of 1"
    assert tests.words(state, tokenizer, 310.0) == ""
    assert tests.words(state, tokenizer, 1000.0) == " · a 0 of 1"
