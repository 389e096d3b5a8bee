"""Many prompts in one batch: outputs in their order, and what becomes of those after one that fails."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import torch
from pydantic import AfterValidator

from dgsolve import Generator, Model
from dgsolve.denoisers.base import RowState
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import OutputValidationError, UsageError


@dataclass(frozen=True)
class Letter(RowState):
    letter: torch.Tensor


class Echo(RandomDenoiser):
    """Writes the letter that its prompt is."""

    def start(self, problem, canvas):
        return Letter(torch.full((len(canvas.tokens),), ord(problem.prompt)))

    def denoise(self, tokens, state):
        logits = torch.zeros(*tokens.shape, self.text.size)
        logits[torch.arange(len(tokens)), :, state.letter] = 50
        return logits, state


def no_b(letter: str) -> str:
    if letter == "b":
        raise ValueError("b is never right")
    return letter


@pytest.fixture
def generator() -> Generator:
    """Fails where it has to write b."""
    letters = Annotated[Literal["a", "b", "c"], AfterValidator(no_b)]
    return Model(Echo()).generator(letters, max_new_tokens=4, instruct=False)


@pytest.mark.parametrize("together", [1, 32])
def test_a_batch_gives_what_came_before_the_one_that_fails(generator, together):
    assert list(generator.batch(list("aca"), batch_canvases=together)) == list("aca")
    written = generator.batch(list("abc"), attempts=1, batch_canvases=together)
    assert next(written) == "a"
    with pytest.raises(OutputValidationError, match="b is never right"):
        next(written)
    assert list(written) == []
    read = generator.batch(["a", 3, "c"], batch_canvases=together)
    assert next(read) == "a"
    with pytest.raises(UsageError, match="a prompt of type int means nothing"):
        next(read)
    assert list(read) == []


@pytest.mark.parametrize("together", [1, 2, 32])
def test_a_batch_can_have_errors_in_the_places_of_outputs(generator, together):
    prompts = [1, 2, "a", "b", 3, "c", "b", 4, 5]
    found = list(generator.batch(prompts, attempts=1, batch_canvases=together, return_exceptions=True))
    said = [part if isinstance(part, str) else type(part) for part in found]
    unread, invalid = UsageError, OutputValidationError
    assert said == [unread, unread, "a", invalid, unread, "c", invalid, unread, unread]
    assert next(generator.batch([3], return_exceptions=True)).message.startswith("a prompt of type int")
    assert list(generator.batch([], return_exceptions=True)) == []
