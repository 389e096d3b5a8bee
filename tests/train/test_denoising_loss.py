"""The losses, beside the model's own forward pass and arithmetic by hand."""

import dataclasses

import pytest
import torch
from torch.nn import functional as F

from dgsolve.train.denoising_loss import EncodedContext, Noise, corrupt, denoising_losses
from dgsolve.train.small_model import SmallModel
from dgsolve.train.text_pairs import CanvasBatch, PairTokens, TextPair

TINY = dataclasses.replace(SmallModel.of_width(32, 3), canvas_length=8)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def batch_of(*pairs: tuple[str, str], count: int = 3) -> CanvasBatch:
    return PairTokens.of_small_model([TextPair(*pair) for pair in pairs], 8).draw(count, generator())


@pytest.fixture(scope="module")
def batch() -> CanvasBatch:
    return batch_of(("Sort", "1234"))


@pytest.mark.parametrize("read_answer", [True, False])
@pytest.mark.parametrize("window", [128, 4])
def test_decoding_is_what_the_model_does_after_the_prompt(batch, read_answer: bool, window: int) -> None:
    model = dataclasses.replace(TINY, sliding_window=window).create(0).eval()
    canvas = torch.randint(512, batch.canvas.shape, generator=generator(1))
    said = torch.randn(*canvas.shape, 512, generator=generator(2))
    with torch.no_grad():
        encoded = EncodedContext(model, batch, read_answer)
        for before in (None, said):
            expected = model(input_ids=batch.context, decoder_input_ids=canvas, self_conditioning_logits=before).logits
            torch.testing.assert_close(encoded.decode(canvas, before), expected, rtol=1e-4, atol=1e-5)


def test_padding_on_the_left_changes_nothing() -> None:
    model = TINY.create(0).eval()
    batch = batch_of(("Sort", "21"), ("Sort this, a longer prompt", "8765"), count=6)
    assert not batch.known.all()
    with torch.no_grad():
        logits = EncodedContext(model, batch, True).decode(batch.canvas)
        for row, known in enumerate(batch.known):
            alone = model(
                input_ids=batch.context[row][known][None], decoder_input_ids=batch.canvas[row : row + 1]
            ).logits
            torch.testing.assert_close(logits[row : row + 1], alone, rtol=1e-4, atol=1e-5)


def test_the_losses_are_the_cross_entropies(batch) -> None:
    model = TINY.create(0)
    noise = Noise(self_conditioning=0.0, answer_noise=0.0)
    losses = denoising_losses(model, batch, noise, generator(5))
    noisy = corrupt(batch, 512, noise, generator(5))
    full = torch.cat([batch.context, batch.canvas[:, :4]], 1)
    logits = model(input_ids=batch.context, decoder_input_ids=noisy).logits
    each = F.cross_entropy(logits.flatten(0, 1), batch.canvas.flatten(), reduction="none").view(3, 8)
    weights = torch.tensor([1.0] * 5 + [0.1] * 3)  # four digits, the end of the turn, three of padding
    torch.testing.assert_close(losses.canvas, (each * weights).sum() / weights.sum() / 3)
    hidden = model.model.encoder(input_ids=full).last_hidden_state[:, -5:]
    following = torch.tanh(model.lm_head(hidden) / 30) * 30
    torch.testing.assert_close(losses.encoder, F.cross_entropy(following.flatten(0, 1), batch.canvas[:, :5].flatten()))
    assert losses.solved == 0.0


def test_self_conditioning_and_the_encoder_can_be_left_out(batch) -> None:
    model = TINY.create(0)
    without = denoising_losses(model, batch, Noise(self_conditioning=0.0, encoder_weight=0.0), generator(5))
    conditioned = denoising_losses(model, batch, Noise(self_conditioning=1.0, encoder_weight=0.0), generator(5))
    assert without.encoder == conditioned.encoder == 0
    assert without.canvas != conditioned.canvas
    conditioned.canvas.backward()
    assert model.model.decoder.self_conditioning.down_proj.weight.grad.abs().sum() > 0


def test_noise_replaces_a_share_of_each_canvas_that_is_spread_evenly() -> None:
    rows = torch.full((4000, 100), 7)
    everywhere = torch.ones_like(rows, dtype=torch.bool)
    batch = CanvasBatch(rows[:, :1], everywhere[:, :1], rows, everywhere, ~everywhere)
    noisy = corrupt(batch, 512, Noise(answer_noise=0.0), generator())
    share = (noisy != 7).float().mean(1)
    assert share.mean() == pytest.approx(0.5, abs=0.02)
    assert [(share < quarter).float().mean().item() for quarter in (0.25, 0.75)] == pytest.approx(
        [0.25, 0.75], abs=0.03
    )
    assert noisy.unique().tolist() == list(range(512))
    more = corrupt(batch, 512, Noise(answer_noise=0.0, power=0.5), generator())
    assert (more != 7).float().mean() == pytest.approx(2 / 3, abs=0.02)


def test_noise_can_be_as_in_a_constrained_canvas_tokens_of_answers_and_none_after_them() -> None:
    batch = batch_of(("Sort", "1234"), count=200)
    noisy = corrupt(batch, 512, Noise(answer_noise=1.0), generator())
    assert set(noisy[:, :4].flatten().tolist()) == set(batch.canvas[0, :4].tolist())
    assert (noisy[:, :4] != batch.canvas[:, :4]).any(0).all()
    assert torch.equal(noisy[:, 4:], batch.canvas[:, 4:])


def test_what_a_grid_is_given_can_be_locked_and_its_end_with_it() -> None:
    pair = TextPair("Solve", "1234", puzzle=".2.4", box=(2, 2))
    batch = PairTokens.of_small_model([pair], 8).draw(300, generator())
    assert batch.given[0].tolist() == [False, True, False, True, True, True, True, True]
    changed = corrupt(batch, 512, Noise(answer_noise=0.0, locked=1.0), generator()) != batch.canvas
    assert changed.any(0).tolist() == (~batch.given[0]).tolist()
    changed = corrupt(batch, 512, Noise(answer_noise=0.0, locked=0.0), generator()) != batch.canvas
    assert changed.any(0).all()


def test_canvases_that_hold_nothing_before_their_end_get_noise_of_all_tokens() -> None:
    """A long answer ends exactly with its canvas, or one of a single token is cut before its end."""
    pairs = PairTokens.of_small_model([TextPair("Say", "4")], 8)
    cut = pairs.draw(4, generator(), whole_share=0.0, cut_share=1.0)
    assert cut.canvas.shape == (4, 1)
    noisy = corrupt(cut, 512, Noise(least=1.0, answer_noise=1.0, locked=0.0), generator(1))
    assert noisy.shape == (4, 1) and (noisy != cut.canvas).any()
