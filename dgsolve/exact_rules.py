"""A problem's rules as CP-SAT models: from its exactly-one groups, or as the problem itself posts them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from dgsolve.factor_graph import FactorGraph
    from dgsolve.problem import Problem

Values = tuple[int, ...]  # one value per slot, counted from 0
Candidates = Sequence[Collection[int]]  # the values each slot may hold by what was given
ReadSolution = Callable[[Sequence[int]], Values]  # a solution of all the model's variables, as values per slot
Holds = list[dict[int, Any]]  # of each slot, every value with its Boolean


class ExactRules(ABC):
    """candidates: the values that each slot may hold by what was given. presolve: whether that pays in the solver."""

    candidates: Candidates
    presolve: ClassVar[bool]

    @abstractmethod
    def search_model(self) -> tuple[Any, ReadSolution]:
        """The rules with what was given, and how to read a solution."""

    @abstractmethod
    def bare_model(self) -> tuple[Any, Holds]:
        """The rules alone, every value possible everywhere."""

    @property
    def judged(self) -> bool:
        """Whether the models that were made leave out some rule, which `accepts` knows."""
        return False

    def accepts(self, values: Values) -> bool:
        """Whether a solution of the model keeps the rules that it leaves out."""
        return True


def exact_rules(problem: Problem) -> ExactRules:
    """The rules of `problem`; raises UsageError where it does not say them, or what was given."""
    candidates = problem.given_values()
    if candidates is not None and problem.posts:
        return PostedRules(problem, candidates)
    graph = problem.factor_graph()
    if candidates is not None and graph is not None:
        return GraphRules(graph, candidates)
    raise UsageError(
        f"exact search does not know the rules of {problem.describe()}",
        hint="Only problems with given_values() and a factor graph or post() can be certified.",
    )


@dataclass(frozen=True)
class GraphRules(ExactRules):
    """Exactly-one groups, one Boolean for each candidate that the givens leave."""

    graph: FactorGraph
    candidates: Candidates
    presolve: ClassVar[bool] = False

    def search_model(self) -> tuple[Any, ReadSolution]:
        from ortools.sat.python import cp_model

        left = self._left_by_givens()
        model = cp_model.CpModel()
        true = {candidate: model.new_bool_var("") for candidate in left}
        self._add_groups(model, true)
        values = [candidate % self.graph.values for candidate in left]
        return model, lambda solution: tuple(compress(values, solution))

    def bare_model(self) -> tuple[Any, Holds]:
        from ortools.sat.python import cp_model

        model, values = cp_model.CpModel(), self.graph.values
        true = {candidate: model.new_bool_var("") for candidate in range(self.graph.slots * values)}
        self._add_groups(model, true)
        slots = range(self.graph.slots)
        return model, [{value: true[slot * values + value] for value in range(values)} for slot in slots]

    def _add_groups(self, model: Any, true: dict[int, Any]) -> None:
        least_slack = self.graph.slots * self.graph.values
        for group in self.graph.groups:
            held = [true[candidate] for candidate in group if candidate in true]
            if group[-1] >= least_slack:
                model.add_at_most_one(held)
            else:
                model.add_exactly_one(held)

    def _left_by_givens(self) -> list[int]:
        """The candidates left once each slot with one value has struck it elsewhere; the search does the rest."""
        graph, values = self.graph, self.graph.values
        allowed = [slot * values + value for slot, choices in enumerate(self.candidates) for value in sorted(choices)]
        groups_of = graph.candidate_groups.tolist()
        struck: set[int] = set()
        for slot, choices in enumerate(self.candidates):
            for value in choices if len(choices) == 1 else ():
                given = slot * values + value
                for group in groups_of[given]:
                    if group >= 0:
                        struck.update(other for other in graph.groups[group] if other != given)
        return [candidate for candidate in allowed if candidate not in struck]


@dataclass(frozen=True)
class PostedRules(ExactRules):
    """The rules as `problem.post` says them; what only its judge knows is asked of each solution."""

    problem: Problem
    candidates: Candidates
    presolve: ClassVar[bool] = True

    def search_model(self) -> tuple[Any, ReadSolution]:
        model, holds = self._posted(self.candidates)
        indices = [[(value, literal.index) for value, literal in held.items()] for held in holds]

        def read(solution: Sequence[int]) -> Values:
            return tuple(next(value for value, index in held if solution[index]) for held in indices)

        return model, read

    def bare_model(self) -> tuple[Any, Holds]:
        return self._posted(None)

    def _posted(self, choices: Candidates | None) -> tuple[Any, Holds]:
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        holds = self.problem.post(model, choices)
        assert holds is not None
        return model, holds

    @property
    def judged(self) -> bool:
        return self.problem.judged_only

    def accepts(self, values: Values) -> bool:
        return not self.judged or self.problem.check(self.problem.decode(values)).valid
