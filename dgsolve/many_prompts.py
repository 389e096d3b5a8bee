"""The outputs of many prompts, in their order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from dgsolve.errors import DgsolveError
from dgsolve.problem import TextProblem
from dgsolve.solution import Solution


class ManyPrompts:
    """Reads prompts as problems, and gives out what became of each; errors are raised, or kept in their places.

    problem: of a prompt; output: of a solution. Both raise a DgsolveError where there is none.
    """

    def __init__(
        self, problem: Callable[[Any], TextProblem], output: Callable[[Solution], Any], *, return_exceptions: bool
    ) -> None:
        self.problem, self.output, self.return_exceptions = problem, output, return_exceptions
        self._unread: dict[int, DgsolveError] = {}  # by number of the prompt

    def problems(self, prompts: Iterable[Any]) -> Iterator[TextProblem]:
        """Those of all prompts that can be read."""
        for number, prompt in enumerate(prompts):
            try:
                yield self.problem(prompt)
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
