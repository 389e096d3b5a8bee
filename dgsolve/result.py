"""What a model's run gives back: the output, the text, and how sure and how costly it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dgsolve.distribution import Distributions
from dgsolve.errors import Attempt
from dgsolve.solution import Solution


@dataclass(frozen=True)
class Usage:
    """Tokens: of the prompt, and of all that was written with the one that ends it. passes: of the model.

    thinking_tokens: those of the completion that a thought took up, its markers included.
    """

    prompt_tokens: int
    completion_tokens: int
    passes: int
    thinking_tokens: int = 0


@dataclass(frozen=True)
class Result:
    """One answer, valid in the form that was asked for.

    output: the object, in the type asked for. text: as it was written. confidence: by JSON Pointer ("" the whole), the
    probability of the tokens of that part (`dgsolve.confidence`). distribution: by JSON Pointer, for parts that are
    choices as enums and booleans are, the probability of each value by its JSON text, computed when a part is first
    asked for (`dgsolve.distribution`): `result.distribution["/paid"]["true"]`.
    finish_reason: "stop" (the text ended by itself). attempts: how many texts were written, this one included; refused:
    those before it, each with what a validator faulted in it.
    thought: what was thought before the text, where `thinking=` let it; it is no part of text, output or confidence.
    """

    output: Any
    text: str
    confidence: dict[str, float]
    distribution: Distributions
    usage: Usage
    steps: int
    attempts: int
    seed: int
    finish_reason: str
    seconds: float
    model: str
    solution: Solution = field(repr=False)
    thought: str | None = None
    refused: tuple[Attempt, ...] = ()


@dataclass(frozen=True)
class Event:
    """A whole snapshot while a text is written; drafts may change anywhere that is not settled.

    type: "draft" (a pass), "commit" (a pass that settled more), "done" (with the result). settled: bytes of `text` that
    will not change any more. thought: what is thought before it, with `thinking=`.
    """

    type: str
    text: str
    settled: int
    step: int
    result: Result | None = None
    thought: str | None = None
