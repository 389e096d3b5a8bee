"""The truth about a problem by exact search (OR-Tools CP-SAT): how many answers it has, and which givens conflict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from dgsolve.deadline import Deadline, OutOfTime, look, within
from dgsolve.errors import UsageError
from dgsolve.exact_rules import Candidates, ExactRules, GraphRules, ReadSolution, Values, exact_rules

if TYPE_CHECKING:
    from dgsolve.factor_graph import FactorGraph
    from dgsolve.problem import Problem

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
            return f"{self.status.sentence} The conflict named may be larger than it needs to be."
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
    return _certify(exact_rules(problem), time_limit, want)


def certify_graph(
    graph: FactorGraph, candidates: Candidates, *, time_limit: float = 10.0, want: int = 2
) -> Certificate:
    """As `certify`, for any factor graph and the values its slots may hold."""
    return _certify(GraphRules(graph, candidates), time_limit, want)


def _certify(rules: ExactRules, time_limit: float, want: int) -> Certificate:
    started = time.monotonic()
    deadline = Deadline(started + time_limit)
    search = _Search(rules, deadline)
    with closing(search.solutions()) as one_by_one:
        found = tuple(islice(one_by_one, want))
    if not found and search.complete:
        conflicts, minimal = _conflicting(rules, deadline)  # all givens, where only the judge refused what they leave
        minimal = minimal and not (rules.judged and conflicts)  # fewer may break what the model leaves out
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
    return islice(_Search(exact_rules(problem), Deadline.after(time_limit)).solutions(), limit)


class _Search:
    """One enumeration in a thread of its own."""

    def __init__(self, rules: ExactRules, deadline: Deadline) -> None:
        self.rules, self.deadline = rules, deadline
        self.complete = False  # every solution was found, or there is none

    def solutions(self) -> Generator[Values]:
        found: Queue[_Found] = Queue(maxsize=16)
        solver = _solver(presolve=self.rules.presolve)
        solver.parameters.enumerate_all_solutions = True
        with _running(partial(self._enumerate, solver, found), solver, self.deadline, found):
            while isinstance(item := found.get(), tuple):
                if self.rules.accepts(item):
                    yield item
        if isinstance(item, Exception):
            raise item
        self.complete = item

    def _enumerate(self, solver: Any, found: Queue[_Found]) -> bool:
        """Put every solution; whether the search is complete."""
        model, read = self.rules.search_model()
        return _solved(solver, model, self.deadline, _collector(read, found)) in ("OPTIMAL", "INFEASIBLE")


@contextmanager
def _running(work: Callable[[], Any], solver: Any, deadline: Deadline, found: Queue[Any]) -> Iterator[None]:
    """`work` in a thread of its own, so that Ctrl-C reaches the caller while `solver` works; ended with the block.

    What it returns or raises is put last into `found`; False where the deadline was over.
    """
    its_own = Deadline(deadline.moment)
    thread = Thread(target=_put, args=(work, its_own, found), daemon=True)
    stop = finalize(thread, _stop, solver, thread, its_own, found)  # at Python's exit too, not amid C++ frames
    thread.start()
    try:
        yield
    except KeyboardInterrupt:  # nobody waits: it ends by itself, at the latest before Python does
        its_own.end()
        solver.stop_search()
        raise
    except BaseException:
        stop()
        raise
    stop()


def _put(work: Callable[[], Any], deadline: Deadline, found: Queue[Any]) -> None:
    try:
        with within(deadline):
            last = work()
    except OutOfTime:
        last = False
    except Exception as error:
        last = error
    found.put(last)


def _stop(solver: Any, thread: Thread, deadline: Deadline, found: Queue[Any]) -> None:
    """End work that still goes on: it may be posting rules, searching, or waiting for room in the queue."""
    deadline.end()
    while thread.is_alive():
        solver.stop_search()
        with suppress(Empty):
            found.get(timeout=0.005)


def _solver(*, presolve: bool) -> Any:
    """One worker, fixed seed.

    Presolve, symmetry and probing cost more than they save on exactly-one groups (25x25: 1.8 s, without: 0.06).
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    chosen = solver.parameters
    chosen.num_workers, chosen.random_seed = 1, 0
    chosen.cp_model_presolve, chosen.linearization_level = presolve, 0
    chosen.symmetry_level, chosen.cp_model_probing_level = 0, 0
    chosen.catch_sigint_signal = False  # Python's own handler must see Ctrl-C
    return solver


def _solved(solver: Any, model: Any, deadline: Deadline, collector: Any = None) -> str:
    """The name of CP-SAT's status, within what is left of the time."""
    look()
    if not math.isinf(deadline.moment):
        solver.parameters.max_time_in_seconds = deadline.left
    return str(solver.status_name(solver.solve(model, collector)))


def _collector(read: ReadSolution, found: Queue[_Found]) -> Any:
    """Puts each solution as values per slot."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.put(read(self.response_proto.solution))

    return Collector()


def conflicting_slots(
    graph: FactorGraph, candidates: Candidates, *, time_limit: float = 10.0
) -> tuple[tuple[int, ...], bool]:
    """A set of restricted slots that no solution satisfies, and whether it was shown to be minimal.

    Each member is left out and the rest solved again (deletion filter); what the solver's own proof did not use is
    dropped on the way. The problem must have no solution.
    """
    return _conflicting(GraphRules(graph, candidates), Deadline.after(time_limit))


def _conflicting(rules: ExactRules, deadline: Deadline) -> tuple[tuple[int, ...], bool]:
    try:
        with within(deadline):
            check = _GivensCheck(rules, deadline)
    except OutOfTime:
        return (), False
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

    def __init__(self, rules: ExactRules, deadline: Deadline) -> None:
        self.deadline, self.presolve = deadline, rules.presolve
        self.model, holds = rules.bare_model()
        candidates = rules.candidates
        self.givens = [slot for slot, choices in enumerate(candidates) if len(set(choices)) < len(holds[slot])]
        self._holds = {slot: self.model.new_bool_var("") for slot in self.givens}
        for slot, stands in self._holds.items():
            self.model.add_bool_or([holds[slot][value] for value in candidates[slot]]).only_enforce_if(stands)

    def stand(self, slots: Sequence[int]) -> tuple[bool | None, list[int]]:
        """Whether `slots` can stand together, None where time ran out; and where not, those that the proof used."""
        if not self.deadline.left:
            return None, []
        self.model.clear_assumptions()
        self.model.add_assumptions([self._holds[slot] for slot in slots])
        solver, found = _solver(presolve=self.presolve), Queue[Any]()
        with _running(partial(_solved, solver, self.model, self.deadline), solver, self.deadline, found):
            status = found.get()
        if isinstance(status, Exception):
            raise status
        if status != "INFEASIBLE":
            return None if status in ("UNKNOWN", False) else True, []
        used = set(solver.sufficient_assumptions_for_infeasibility())
        return False, [slot for slot in slots if self._holds[slot].index in used]
