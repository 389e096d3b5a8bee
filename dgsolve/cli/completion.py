"""Exact search after diffusion: completes what did not settle, and counts solutions on request."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from dgsolve.certify import Certificate, SolutionCount, certify
from dgsolve.problem import CellProblem, Fault
from dgsolve.solution import Solution, Status

DIFFUSION_SHARE = 0.75  # of the time limit; the rest is kept for exact search
USUAL_LIMIT = 60.0  # seconds of exact search where no time limit was given


@dataclass(frozen=True)
class Completion:
    """What exact search may do.

    fallback: complete puzzles that diffusion did not settle. count: prove whether an answer is the only one.
    shown: how many solutions to collect. time_limit: seconds per puzzle, for diffusion and exact search together.
    """

    fallback: bool = True
    count: bool = False
    shown: int = 1
    time_limit: float | None = None

    @property
    def diffusion_limit(self) -> float | None:
        """Seconds that diffusion may take."""
        keeps = self.time_limit is not None and (self.fallback or self.count)
        return self.time_limit * DIFFUSION_SHARE if keeps and self.time_limit else self.time_limit

    def finish(self, puzzle: CellProblem, solution: Solution) -> Solution:
        """The solution as it is, completed, or with its count of solutions."""
        unsettled = solution.status is Status.UNKNOWN
        if not (self.count or (unsettled and self.fallback)):
            return solution
        started = time.monotonic()
        certificate = certify(puzzle, time_limit=self._left(solution), want=max(self.shown, 1 + self.count))
        found = replace(solution, solutions=certificate.status.value)
        if certificate.status is SolutionCount.NONE:
            faults = (conflict_fault(puzzle, certificate),)
            found = replace(found, status=Status.INFEASIBLE, faults=faults, timed_out=False)
        elif unsettled and self.fallback:
            found = _completed(puzzle, found, certificate)
        others = [answer for answer in _answers(puzzle, certificate) if answer != found.answer]
        shown = tuple(others[: self.shown - 1]) if found.answer is not None else ()
        return replace(found, others=shown, seconds=solution.seconds + time.monotonic() - started)

    def _left(self, solution: Solution) -> float:
        return USUAL_LIMIT if self.time_limit is None else max(self.time_limit - solution.seconds, 0.0)


def _answers(puzzle: CellProblem, certificate: Certificate) -> list[Any]:
    answers = [puzzle.decode(values) for values in certificate.solutions]
    return [answer for answer in answers if puzzle.check(answer).valid]


def _completed(puzzle: CellProblem, solution: Solution, certificate: Certificate) -> Solution:
    """The first answer of exact search in place of the one that diffusion did not find."""
    answers = _answers(puzzle, certificate)
    if not answers:
        return replace(solution, timed_out=True)
    return replace(
        solution, status=Status.FEASIBLE, answer=answers[0], found_by="exact", confidence=(), faults=(), timed_out=False
    )


def conflict_fault(puzzle: CellProblem, certificate: Certificate) -> Fault:
    """The givens that cannot stand together, by cell."""
    slots = certificate.conflicts
    if not slots and not certificate.minimal:
        return Fault("Which givens cannot stand together was not found in the time there was.")
    if not slots:
        return Fault("The rules alone leave no answer, whatever is given.")
    minimal = "; leave out any one of them and the others can" if certificate.minimal else ""
    sentence = f"These givens cannot stand together: {', '.join(map(puzzle.given_text, slots))}{minimal}."
    return Fault(sentence, tuple(map(puzzle.cell, slots)), slots)
