"""How sure a model was of each part of a text."""

from __future__ import annotations

import math

from dgsolve.forms.base import Form
from dgsolve.forms.json_form import JsonForm
from dgsolve.problem import TextProblem
from dgsolve.solution import Solution


def confidence(solution: Solution, form: Form) -> dict[str, float]:
    """By JSON Pointer, the probability of the tokens of each part, under the law by which the text was written.

    A causal model writes by q(x_i | x_<i), its distribution cut to the tokens that the form allows there. A part on the
    slots i .. j has the probability q(x_i | x_<i) ... q(x_j | x_<j): that these tokens come after what stands before.
    A denoiser of whole canvases has its last step's posterior P, at that step's temperature. A part has
    P(X_i = x_i, ..., X_j = x_j) = Z(these slots locked) / Z, the joint probability and not a product of marginals.
    Of a text over several blocks it is the product over those that the part lies in, each given the blocks before it;
    where their proposals are too many to keep, the product of the slots' marginals.

    A token that reaches over a border, as `":"` does, counts whole for the parts on both sides. A number, or a text
    that is no JSON, ends only with what follows it, so the token after it counts too. For a causal model this is thus
    at most the probability of the value itself, to which other tokens for the same text and other neighbours add;
    `distribution` gives that one.
    A slot that a repair pinned keeps the probability with which it was written.
    """
    return {pointer: _together(solution, slots) for pointer, slots in part_slots(solution, form).items()}


def part_slots(solution: Solution, form: Form) -> dict[str, range]:
    """By JSON Pointer, the slots whose tokens say what the part is: those that carry it, and what ends it."""
    problem = TextProblem.of(solution.problem)
    text, spans = str(solution.answer).encode(), problem.token_spans(solution.values)
    start, found = problem.start(solution.values), {}
    for pointer, (low, high) in form.spans(str(solution.answer)).items():
        slots = spans.slots(low, high) or range(start, start)  # an empty text
        open_ended = text[high - 1 : high].isdigit() or not isinstance(form, JsonForm)
        if open_ended and spans.starts[slots.stop] == high:
            slots = range(slots.start, slots.stop + 1)
        found[pointer] = slots
    return found


def _together(solution: Solution, slots: range) -> float:
    law, given = solution.posterior, solution.confidence
    if law is None:
        return math.prod(given[slot] for slot in slots)
    before = math.prod(given[slot] for slot in slots if law.held(slot))
    return before * law.together(slots.start, solution.values[slots.start : slots.stop])
