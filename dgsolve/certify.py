"""The truth about a problem by exact search (OR-Tools CP-SAT): how many answers it has, and which givens conflict."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, islice
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from dgsolve.errors import UsageError

if TYPE_CHECKING:
    from dgsolve.factor_graph import FactorGraph
    from dgsolve.problem import Problem

Values = tuple[int, ...]  # one value per slot, counted from 0
Candidates = Sequence[Collection[int]]  # the values each slot may hold by what was given
_Found = tuple[int, ...] | bool | Exception


class SolutionCount(StrEnum):
    """How many answers there are, as far as it was proven; `sentence` is what a person reads."""

    NONE = "none"
    ONE = "one"
    MANY = "many"
    UNKNOWN = "unknown"

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]


_SENTENCES = {
    SolutionCount.NONE: "Proven: there is no solution.",
    SolutionCount.ONE: "Proven: there is exactly one solution.",
    SolutionCount.MANY: "Proven: there is more than one solution.",
    SolutionCount.UNKNOWN: "How many solutions there are was not settled.",
}


@dataclass(frozen=True)
class Certificate:
    """What exact search proved.

    solutions: values per slot, up to as many as were wanted; `problem.decode` turns one into an answer, and
    `problem.check` alone calls it right. conflicts: the slots of givens that cannot stand together, where there is no
    solution; minimal says that leaving out any one of them was shown to make the rest possible.
    """

    status: SolutionCount
    solutions: tuple[Values, ...] = ()
    conflicts: tuple[int, ...] = ()
    minimal: bool = False
    seconds: float = 0.0

    @property
    def sentence(self) -> str:
        """The verdict in plain words, with how sure the conflict is."""
        if self.conflicts and not self.minimal:
            return f"{self.status.sentence} The conflict named may be larger than it needs to be: time ran out."
        return self.status.sentence


def certify(problem: Problem, *, time_limit: float = 10.0, want: int = 2) -> Certificate:
    """Search for up to `want` solutions; with none, find a minimal set of conflicting givens.

    One solution is called the only one after the search for another came back empty, so `want` must be 2 or more for
    the status to be one or many; with 1 the search stops at the first. `time_limit` in seconds bounds everything.
    Raises UsageError where the problem has no factor graph or does not say what was given.

        certificate = certify(Sudoku.parse("1234........4321"))
        certificate.status is SolutionCount.ONE
    """
    if want < 1:
        raise UsageError(f"want must be 1 or more, got {want}")
    return certify_graph(*_rules(problem), time_limit=time_limit, want=want)


def certify_graph(
    graph: FactorGraph, candidates: Candidates, *, time_limit: float = 10.0, want: int = 2
) -> Certificate:
    """As `certify`, for any factor graph and the values its slots may hold."""
    started = time.monotonic()
    deadline = started + time_limit
    search = _Search(graph, candidates, deadline)
    with closing(search.solutions()) as one_by_one:
        found = tuple(islice(one_by_one, want))
    if not found and search.complete:
        conflicts, minimal = conflicting_slots(graph, candidates, time_limit=deadline - time.monotonic())
        seconds = time.monotonic() - started
        return Certificate(SolutionCount.NONE, conflicts=conflicts, minimal=minimal, seconds=seconds)
    status = SolutionCount.UNKNOWN
    if len(found) > 1:
        status = SolutionCount.MANY
    elif search.complete:
        status = SolutionCount.ONE
    return Certificate(status, found, seconds=time.monotonic() - started)


def solutions(problem: Problem, limit: int | None = None, *, time_limit: float | None = None) -> Iterator[Values]:
    """Distinct solutions as they are found, values per slot, at most `limit`; memory does not grow with their number.

    Ends early in silence when `time_limit` seconds (the caller's own time between two solutions included) are over.
    """
    graph, candidates = _rules(problem)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    return islice(_Search(graph, candidates, deadline).solutions(), limit)


def _rules(problem: Problem) -> tuple[FactorGraph, Candidates]:
    graph, candidates = problem.factor_graph(), problem.given_values()
    if graph is None or candidates is None:
        raise UsageError(
            f"exact search does not know the rules of {problem.describe()}",
            hint="Only problems with a factor graph and given_values() can be certified.",
        )
    return graph, candidates


class _Search:
    """One enumeration in a thread of its own, so that Ctrl-C reaches the caller while the solver works."""

    def __init__(self, graph: FactorGraph, candidates: Candidates, deadline: float | None) -> None:
        self.graph, self.candidates, self.deadline = graph, candidates, deadline
        self.complete = False  # every solution was found, or there is none

    def solutions(self) -> Generator[Values]:
        found: Queue[_Found] = Queue(maxsize=16)
        solver = _solver(self.deadline)
        solver.parameters.enumerate_all_solutions = True
        thread = Thread(target=_run, args=(self.graph, self.candidates, solver, found), daemon=True)
        stop = finalize(self, _stop, solver, thread, found)  # at Python's exit too: it must not end amid C++ frames
        thread.start()
        try:
            while isinstance(item := found.get(), tuple):
                yield item
            if isinstance(item, Exception):
                raise item
            self.complete = item
        finally:
            stop()


def _run(graph: FactorGraph, candidates: Candidates, solver: Any, found: Queue[_Found]) -> None:
    """Put every solution, and last whether the search is complete or what went wrong."""
    from ortools.sat.python import cp_model

    last: bool | Exception = False
    try:
        left = _left_by_givens(graph, candidates)
        model = cp_model.CpModel()
        true = {candidate: model.new_bool_var("") for candidate in left}
        for group in graph.groups:
            model.add_exactly_one([true[candidate] for candidate in group if candidate in true])
        status = solver.solve(model, _collector([candidate % graph.values for candidate in left], found))
        last = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    except Exception as error:
        last = error
    found.put(last)


def _stop(solver: Any, thread: Thread, found: Queue[_Found]) -> None:
    """End a run that still goes on: it may be searching, or waiting for room in the queue."""
    while thread.is_alive():
        solver.stop_search()
        with suppress(Empty):
            found.get(timeout=0.005)


def _solver(deadline: float | None) -> Any:
    """One worker, fixed seed. Presolve, symmetry and probing cost more than they save (25x25: 1.8 s, without: 0.06)."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    chosen = solver.parameters
    chosen.num_workers, chosen.random_seed = 1, 0
    chosen.cp_model_presolve, chosen.linearization_level = False, 0
    chosen.symmetry_level, chosen.cp_model_probing_level = 0, 0
    chosen.catch_sigint_signal = False  # Python's own handler must see Ctrl-C
    if deadline is not None:
        chosen.max_time_in_seconds = max(deadline - time.monotonic(), 0.0)
    return solver


def _left_by_givens(graph: FactorGraph, candidates: Candidates) -> list[int]:
    """The candidates that remain once each slot with one value has struck it elsewhere; the search does the rest."""
    values = graph.values
    allowed = [slot * values + value for slot, choices in enumerate(candidates) for value in sorted(choices)]
    groups_of = graph.candidate_groups.tolist()
    struck: set[int] = set()
    for slot, choices in enumerate(candidates):
        for value in choices if len(choices) == 1 else ():
            given = slot * values + value
            for group in groups_of[given]:
                if group >= 0:
                    struck.update(other for other in graph.groups[group] if other != given)
    return [candidate for candidate in allowed if candidate not in struck]


def _collector(values: Sequence[int], found: Queue[_Found]) -> Any:
    """Puts each solution as values per slot; `values` holds the value of each of the model's variables."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.put(tuple(compress(values, self.response_proto.solution)))

    return Collector()


def conflicting_slots(
    graph: FactorGraph, candidates: Candidates, *, time_limit: float = 10.0
) -> tuple[tuple[int, ...], bool]:
    """A set of restricted slots that no solution satisfies, and whether it was shown to be minimal.

    Each member is left out and the rest solved again (deletion filter); what the solver's own proof did not use is
    dropped on the way. The problem must have no solution.
    """
    check = _GivensCheck(graph, candidates, time.monotonic() + time_limit)
    conflict, needed, minimal = check.givens, set[int](), True
    while rest := [slot for slot in conflict if slot not in needed]:
        stand, used = check.stand([slot for slot in conflict if slot != rest[-1]])
        if stand is False:
            conflict = used
        else:
            needed.add(rest[-1])
            minimal = minimal and stand is True
    return tuple(conflict), minimal


class _GivensCheck:
    """Whether some of the givens can stand together: every given is an assumption on one model of the bare rules."""

    def __init__(self, graph: FactorGraph, candidates: Candidates, deadline: float) -> None:
        from ortools.sat.python import cp_model

        self.deadline = deadline
        self.model = cp_model.CpModel()
        true = [self.model.new_bool_var("") for _ in range(graph.slots * graph.values)]
        for group in graph.groups:
            self.model.add_exactly_one([true[candidate] for candidate in group])
        self.givens = [slot for slot, choices in enumerate(candidates) if len(set(choices)) < graph.values]
        self._holds = {slot: self.model.new_bool_var("") for slot in self.givens}
        for slot, holds in self._holds.items():
            allowed = [true[slot * graph.values + value] for value in candidates[slot]]
            self.model.add_bool_or(allowed).only_enforce_if(holds)

    def stand(self, slots: Sequence[int]) -> tuple[bool | None, list[int]]:
        """Whether `slots` can stand together, None where time ran out; and where not, those that the proof used."""
        from ortools.sat.python import cp_model

        if time.monotonic() >= self.deadline:
            return None, []
        self.model.clear_assumptions()
        self.model.add_assumptions([self._holds[slot] for slot in slots])
        solver = _solver(self.deadline)
        status = solver.solve(self.model)
        if status != cp_model.INFEASIBLE:
            return None if status == cp_model.UNKNOWN else True, []
        used = set(solver.sufficient_assumptions_for_infeasibility())
        return False, [slot for slot in slots if self._holds[slot].index in used]
