"""The unconstrained loop equals Transformers' generate step for step: canvas, accepted slots, stop."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch import Tensor

from dgsolve.forms.text_forms import RegexForm
from dgsolve.loop import solve_many
from dgsolve.problems.text import Text
from dgsolve.sampling.drafting import Draft, EntropyBoundDrafting
from tests.denoisers.generate_recorded import Recorder, Step, recorded
from tests.denoisers.tiny_diffusion_gemma import BLOCK, SIZE, tiny_denoiser, tiny_model

SPREAD = 0.1  # of the weights: sharp enough to choose, and not so chaotic that rounding grows up to a choice
PROMPTS = {1: (7,), 3: (7, 20, 13)}  # lengths, some longer than the window


def prompts(lengths: tuple[int, ...]) -> list[list[int]]:
    generator = torch.Generator().manual_seed(len(lengths))
    return [torch.randint(3, SIZE, (length,), generator=generator).tolist() for length in lengths]


def theirs(rows: list[list[int]], slots: int, seed: int, spread: float, **settings: Any) -> Recorder:
    longest = max(map(len, rows))
    ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
    mask = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])
    return recorded(tiny_model(spread), ids, mask, seed, slots, **settings)


class Watched(EntropyBoundDrafting):
    """Remembers every row's steps, by the number of its problem."""

    def __init__(self) -> None:
        self.steps: dict[int, list[Step]] = {}

    def draft(self, *given: Any) -> Draft:
        draft, (_, _, fed, _, rows, _) = super().draft(*given), given
        for row, job in enumerate(rows.job.tolist()):
            parts = (part[row].tolist() for part in (fed, draft.tokens, draft.accepted))
            self.steps.setdefault(job, []).append(Step(*map(tuple, parts)))
        return draft


def as_transformers_adds(logits: Tensor, heat: Tensor, embedding: Tensor, scale: float) -> Tensor:
    """In the same order: the kernel, which tests of its own compare with this, adds block by block in float32."""
    kept = (logits / heat[:, None, None]).to(embedding.dtype)
    return kept.softmax(-1, dtype=torch.float32).to(embedding.dtype) @ embedding * scale


def ours(rows: list[list[int]], slots: int, seed: int, spread: float, **settings: Any) -> list[list[Step]]:
    denoiser = tiny_denoiser(spread)
    denoiser.drafting = watched = Watched()
    form = RegexForm(r"[\s\S]*")
    problems = [Text(form, denoiser.text, " ".join(map(str, row)), slots, BLOCK) for row in rows]
    given = {"locks": False, "feedback": False, "self_conditioning": "logits", **settings}
    with patch("dgsolve.denoisers.diffusion_gemma.self_conditioning", as_transformers_adds):
        list(solve_many(problems, denoiser, seed=seed, **given))
    return [watched.steps[row] for row in range(len(rows))]


SETTINGS = {
    "as published": {"max_denoising_steps": 12},
    "wide bound": {"max_denoising_steps": 12, "entropy_bound": 30.0},
    "cold": {"max_denoising_steps": 20, "t_max": 0.06, "t_min": 0.03, "entropy_bound": 2.0},
    "cold, stops early": {
        "max_denoising_steps": 20, "t_max": 0.02, "t_min": 0.01, "entropy_bound": 8.0, "stop_entropy": 0.4,
    },
}  # fmt: skip
NAMES = {"stop_entropy": "confidence_threshold", "stable_steps": "stability_threshold"}


def as_theirs(settings: dict[str, Any]) -> dict[str, Any]:
    from transformers.models.diffusion_gemma.generation_diffusion_gemma import EntropyBoundSamplerConfig

    named = {NAMES.get(name, name): value for name, value in settings.items()} | {"eos_token_id": 1, "pad_token_id": 0}
    bound = named.pop("entropy_bound", None)
    return named if bound is None else named | {"sampler_config": EntropyBoundSamplerConfig(entropy_bound=bound)}


@pytest.mark.parametrize("rows", PROMPTS.values(), ids=lambda lengths: f"{len(lengths)}-rows")
@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("name", SETTINGS)
def test_every_step_equals_generate(rows: tuple[int, ...], blocks: int, name: str) -> None:
    texts, settings = prompts(rows), SETTINGS[name]
    reference = theirs(texts, blocks * BLOCK, 5, SPREAD, **as_theirs(settings))
    mine = ours(texts, blocks * BLOCK, 5, SPREAD, **settings)
    for row, (steps, expected) in enumerate(zip(mine, reference.steps, strict=True)):
        for number, (step, right) in enumerate(zip(steps, expected, strict=False)):
            assert step == right, f"row {row}, step {number}"
        assert len(steps) == len(expected), f"row {row}"


def test_the_cases_stop_early_and_at_the_end_of_a_text() -> None:
    texts = prompts(PROMPTS[3])
    early = theirs(texts, 3 * BLOCK, 5, SPREAD, **as_theirs(SETTINGS["cold, stops early"]))
    assert len({len(steps) for steps in early.steps}) == 3, "each row in its own number of steps"
    ended = theirs(texts, 3 * BLOCK, 5, SPREAD, **as_theirs(SETTINGS["wide bound"]))
    assert [len(steps) for steps in ended.steps] == [36, 12, 36], "the second row ends with its first block"


def changed(**settings: Any) -> tuple[list[Step], list[Step]]:
    """The steps of a row, and what they are with settings changed."""
    usual, texts = {"seed": 5, **SETTINGS["cold, stops early"]}, prompts(PROMPTS[1])
    (before,), (after,) = (ours(texts, BLOCK, spread=SPREAD, **given) for given in (usual, usual | settings))
    return before, after


def test_a_lower_entropy_bound_accepts_some_of_the_same_slots() -> None:
    before, after = changed(entropy_bound=0.001)
    assert before[0].fed == after[0].fed and before[0].argmax == after[0].argmax, "the first pass is the same"
    more, fewer = ({slot for slot, kept in enumerate(steps[0].accepted) if kept} for steps in (before, after))
    assert fewer < more


def test_more_heat_makes_slots_less_sure_so_that_fewer_are_accepted_and_more_steps_taken() -> None:
    before, after = changed(t_max=3.0)
    assert before[0].fed == after[0].fed and before[0].argmax == after[0].argmax, "heat changes no order"
    assert sum(after[0].accepted) < sum(before[0].accepted) and len(after) > len(before)


def test_another_seed_begins_with_other_noise() -> None:
    before, after = changed(seed=6)
    assert sum(one != other for one, other in zip(before[0].fed, after[0].fed, strict=True)) > BLOCK // 2


def test_more_steps_that_a_block_must_repeat_itself_are_waited_for() -> None:
    before, after = changed(stable_steps=3)
    assert after[: len(before)] == before and len(after) == len(before) + 2
    assert len({step.argmax for step in after[-4:]}) == 1
