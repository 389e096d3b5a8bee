"""What a causal denoiser keeps from pass to pass: right, read once, shared by rows, and never on the denoiser."""

from functools import wraps

import torch

from tests.denoisers.tiny_causal import PROMPTS, SLOTS, asked, canvas, run


def test_logits_with_kept_keys_and_values_are_those_computed_from_nothing(denoisers, tables):
    denoiser, compared = denoisers[1], 0

    def watch(state, tokens, logits):
        nonlocal compared
        for row, prompt in enumerate(state.prompts):
            first = int(state.settled[row])
            ids = [*prompt.ids, *tokens[row, : first + logits.shape[1] - 1].clamp(min=0).tolist()]
            with torch.inference_mode():
                afresh = denoiser.model(torch.tensor([ids])).logits[0, -logits.shape[1] :]
            torch.testing.assert_close(logits[row], afresh, rtol=1e-3, atol=1e-3)
            compared += 1

    run(denoiser, PROMPTS, tables[0], watch=watch)
    assert compared > 10


def test_a_window_is_fed_once_and_without_a_mask_where_one_canvas_is_alone(denoisers, tables, monkeypatch):
    denoiser, fed = denoisers[0], []
    forward = denoiser.model.forward

    def counted(**arguments):
        fed.append(arguments["input_ids"].shape[1])
        assert "attention_mask" not in arguments
        return forward(**arguments)

    monkeypatch.setattr(denoiser.model, "forward", wraps(forward)(counted))
    widths = []
    run(denoiser, PROMPTS[:1], tables[0], watch=lambda state, tokens, logits: widths.append(logits.shape[1]))
    prompt = len(denoiser.tokenizer(PROMPTS[0])["input_ids"])
    assert fed == [prompt + widths[0] - 1, *widths[1:]]


def test_what_is_known_of_a_prompt_serves_rows_that_join_or_begin_again(denoisers, tables):
    denoiser, vocabulary = denoisers[2], denoisers[2].vocabulary(None)
    expected, _ = run(denoiser, PROMPTS[:1], tables[0])
    states = []
    run(denoiser, PROMPTS[:1], tables[0], watch=lambda state, *_: states.append(state))
    fresh = denoiser.start(asked(PROMPTS[0]), canvas(tables[0], vocabulary))
    again = states[-1].put(torch.tensor([0]), fresh)
    joined = states[-1].append(fresh).rows(torch.tensor([1]))
    prompt = len(fresh.prompts[0].ids)
    assert fresh.cache.lengths.tolist() == [0]
    for state in (again, joined):
        assert int(state.cache.lengths) > prompt and int(state.settled) == 0
        assert run(denoiser, PROMPTS[:1], tables[0], start=state)[0] == expected
    other = denoiser.start(asked(PROMPTS[1]), canvas(tables[0], vocabulary))
    assert states[-1].put(torch.tensor([0]), other).cache.lengths.tolist() == [0]


def test_rows_that_start_together_read_their_prompt_once(denoisers, tables):
    denoiser = denoisers[0]
    state = denoiser.start(asked(PROMPTS[1]), canvas(tables[0], denoiser.vocabulary(None), rows=3))
    assert state.cache.lengths.tolist() == [len(state.prompts[0].ids) - 1] * 3
    texts, _ = run(denoiser, [PROMPTS[1]] * 3, tables[0], start=state)
    assert texts == run(denoiser, [PROMPTS[1]], tables[0])[0] * 3


def test_the_denoiser_holds_no_run_state(denoisers, tables):
    denoiser, vocabulary = denoisers[3], denoisers[3].vocabulary(None)
    tokens = torch.randint(0, 300, (1, SLOTS), generator=torch.Generator().manual_seed(1))
    start = denoiser.start(asked(PROMPTS[0]), canvas(tables[0], vocabulary))
    first, state = denoiser.denoise(tokens, start)
    denoiser.denoise(tokens.flip(1), denoiser.start(asked(PROMPTS[1]), canvas(tables[0], vocabulary)))
    second, _ = denoiser.denoise(tokens, start)
    assert torch.equal(first, second) and start.cache.lengths.tolist() == [0]
    third, _ = denoiser.denoise(tokens, denoiser.settle(state, torch.tensor([3])))
    again, _ = denoiser.denoise(tokens, denoiser.settle(state, torch.tensor([3])))
    assert torch.equal(third, again)
