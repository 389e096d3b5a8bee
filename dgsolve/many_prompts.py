"""The outputs of many prompts, in their order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import zip_longest
from typing import Any

from dgsolve.errors import DgsolveError, UsageError
from dgsolve.problem import TextProblem
from dgsolve.shortened import shown
from dgsolve.solution import Solution

MISSING = object()
LISTS = "Write images=[[...], None, ...], as many as there are prompts."


class ManyPrompts:
    """Reads prompts as problems, and gives out what became of each; errors are raised, or kept in their places.

    problem: of a prompt and its images; output: of a solution. Both raise a DgsolveError where there is none.
    """

    def __init__(
        self, problem: Callable[[Any, Any], TextProblem], output: Callable[[Solution], Any], *, return_exceptions: bool
    ) -> None:
        self.problem, self.output, self.return_exceptions = problem, output, return_exceptions
        self._unread: dict[int, DgsolveError] = {}  # by number of the prompt

    def problems(self, prompts: Iterable[tuple[Any, Any]]) -> Iterator[TextProblem]:
        """Those of all prompts, each with its images, that can be read."""
        for number, (prompt, images) in enumerate(prompts):
            try:
                yield self.problem(prompt, images)
            except DgsolveError as error:
                if not self.return_exceptions:
                    raise
                self._unread[number] = error

    def outputs(self, solutions: Iterable[Solution]) -> Iterator[Any]:
        """The output or error of every prompt, by the solutions of `problems` in their order."""
        number = 0
        for solution in solutions:
            number = yield from self._unread_from(number)
            try:
                output = self.output(solution)
            except DgsolveError as error:
                if not self.return_exceptions:
                    raise
                output = error
            yield output
            number += 1
        yield from self._unread_from(number)

    def _unread_from(self, number: int) -> Generator[DgsolveError, None, int]:
        """The errors of prompts that follow each other; returns the number of the next prompt."""
        while number in self._unread:
            yield self._unread.pop(number)
            number += 1
        return number


def with_images(prompts: Iterable[Any], images: Iterable[Any] | None) -> Iterator[tuple[Any, Any]]:
    """Each prompt with the list of its images, None for none; raises UsageError where these are more or fewer."""
    if images is None:
        return ((prompt, None) for prompt in prompts)
    if isinstance(images, str | bytes) or not isinstance(images, Iterable):
        raise UsageError(f"images={shown(images)}: batch() wants a list of images for each prompt", hint=LISTS)
    return _paired(iter(prompts), iter(images))


def _paired(prompts: Iterator[Any], images: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    for number, (prompt, shown_ones) in enumerate(zip_longest(prompts, images, fillvalue=MISSING)):
        if prompt is MISSING or shown_ones is MISSING:
            lacks = "prompt" if prompt is MISSING else "list of images"
            raise UsageError(f"batch(): there is no {lacks} number {number + 1}", hint=LISTS)
        yield prompt, shown_ones
