"""Options that a call does not have: which of ours other libraries mean by them, and the nearest of our own names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from typing import Any

from dgsolve.errors import UsageError

_NEAR = 0.81  # a letter or two; "denoiser" and "renoise" are 0.8 alike
_LENGTH = ("max_new_tokens", "Write max_new_tokens=.")
_HEAT = (
    "t_max",
    "Write t_max=: the temperature of what a causal model draws, with draw=True; of a diffusion's first step, from "
    "which it falls.",
)
_TYPE = ("", "Write it as output_type: a type, a JSON Schema, Regex or Choice.")
_CUT = ("", "There is none: all tokens that the form allows are open to a draw. A lower t_max= makes it sharper.")
_PENALTY = ("", "There is none: say in the prompt, or in the schema, what must not come twice.")
_MANY = ("", "There is none: call it once for each seed, with draw=True: seed=1, seed=2.")
_STOP = ("", "There is none: a text ends where its form ends. Say so in a pattern, or by maxLength.")
_SURE = ("", "There is none: the result of run has .confidence and .distribution.")
_STEPS = ("max_denoising_steps", "Write max_denoising_steps=.")
ELSEWHERE = {  # by the name elsewhere: our own name, if it is one of the call's, and what to do
    **dict.fromkeys(("max_tokens", "max_length", "max_output_tokens", "max_completion_tokens"), _LENGTH),
    "temperature": _HEAT,
    "do_sample": ("draw", "Write draw=True."),
    **dict.fromkeys(("top_p", "top_k", "min_p", "typical_p"), _CUT),
    **dict.fromkeys(("frequency_penalty", "presence_penalty", "repetition_penalty"), _PENALTY),
    **dict.fromkeys(("n", "best_of", "num_return_sequences", "num_samples"), _MANY),
    **dict.fromkeys(("stop", "stop_at", "stop_strings", "stop_sequences", "eos_token_id"), _STOP),
    **dict.fromkeys(("logprobs", "top_logprobs"), _SURE),
    **dict.fromkeys(("response_format", "response_model", "text_format", "schema", "json_schema", "regex"), _TYPE),
    "choices": ("", "Write Choice([...]) as output_type."),
    "max_retries": ("attempts", "Write attempts=: texts to try, the first included."),
    "timeout": ("time_limit", "Write time_limit=, in seconds."),
    **dict.fromkeys(("steps", "max_steps", "num_inference_steps"), _STEPS),
    "random_state": ("seed", "Write seed=."),
    "stream": ("", "Write model.generator(output_type).stream(prompt)."),
    "system": ("", 'Write messages as the prompt: [{"role": "system", "content": ...}, {"role": "user", ...}].'),
    **dict.fromkeys(("image", "files", "attachments", "multi_modal_data"), ("images", "Write images=[...].")),
    "enable_thinking": ("thinking", "Write thinking=: the tokens that a thought may have."),
}


def refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """UsageError for the first of the names that is not known, with what to write instead.

    >>> refuse_unknown(["max_tokens"], ["max_new_tokens", "seed"])
    Traceback (most recent call last):
        ...
    dgsolve.errors.UsageError: unknown option 'max_tokens'...
    """
    for name in given:
        if name not in known:
            raise UsageError(f"unknown option {name!r}", hint=_instead(name, known))


def refuse_misplaced(given: Iterable[str], elsewhere: Collection[str], hint: str) -> None:
    """UsageError for the first of the names, or what is meant by it, that another call takes; {} in `hint` is ours."""
    for name in given:
        if name in elsewhere:
            raise UsageError(f"{name}= cannot be given here", hint=hint.format(name))
        ours, _ = ELSEWHERE.get(name, ("", ""))
        if ours in elsewhere:
            raise UsageError(f"unknown option {name!r}", hint=f"It is {ours}= here. {hint.format(ours)}")


def keywords(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names that a function takes as keywords alone."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY)


def _instead(name: str, known: Collection[str]) -> str:
    ours, words = ELSEWHERE.get(name, ("", ""))
    if words and (not ours or ours in known):
        return words
    near = get_close_matches(name, known, 1, _NEAR)
    return f"Write {near[0]}=." if near else f"Known: {', '.join(known)}."
