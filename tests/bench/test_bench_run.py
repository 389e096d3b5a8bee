"""A benchmark with a denoiser that knows the answers: every figure has a value that can be said beforehand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from dgsolve import Sudoku
from dgsolve.bench import run as run_module
from dgsolve.bench.plan import Plan
from dgsolve.bench.provenance import settings_of
from dgsolve.bench.puzzle_sets import survey
from dgsolve.bench.record import Record
from dgsolve.bench.report import results
from dgsolve.bench.run import WARM_STEPS, BenchRun
from dgsolve.bench.store import Store
from dgsolve.canvas import Canvas
from dgsolve.denoisers.base import Denoiser, IndexVocabulary, RowState
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.problem import Problem
from dgsolve.solution import Solution, Status

ANSWER = "1243341243212134"
OTHER = "1234341243212143"  # also keeps the rules and the givens of OPEN
ONE = ".2.....24.....3."  # ANSWER alone
OPEN = "1...3...4...2..."
REPEATED = "11.............."


@dataclass(frozen=True)
class OracleState(RowState):
    right: Tensor  # [B, L]
    age: Tensor  # [B]


class Oracle(Denoiser):
    """Writes the first of its answers that fits the locked slots, from step `when` on; before that it knows nothing."""

    name = "oracle"

    def __init__(self, *answers: str, when: int = 1) -> None:
        self.answers = torch.tensor([[int(sign) - 1 for sign in answer] for answer in answers])
        self.when = when

    def vocabulary(self, problem: Problem) -> IndexVocabulary:
        return IndexVocabulary(4)

    def start(self, problem: Problem, canvas: Canvas) -> OracleState:
        fits = ((canvas.tokens[:, None] == self.answers) | ~canvas.locked[:, None]).all(-1)  # [B, answers]
        first = fits.int().cumsum(1).eq(0).sum(1).clamp(max=len(self.answers) - 1)  # none fits a wrong supposition
        return OracleState(self.answers[first], torch.zeros(len(fits), dtype=torch.int64))

    def denoise(self, tokens: Tensor, state: OracleState) -> tuple[Tensor, OracleState]:
        knows = state.age + 1 >= self.when
        logits = 40.0 * torch.nn.functional.one_hot(state.right, 4) * knows[:, None, None]
        return logits, replace(state, age=state.age + 1)


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    """Make a run over lines of CSV (puzzle, answer), in the folder of that name under `tmp_path`."""

    def make(*rows: str, denoiser: Denoiser, resume: bool = False, **options: Any) -> BenchRun:
        file = tmp_path / "some.csv"
        file.write_text("\n".join(("puzzle,solution", *rows)) + "\n")
        plan = Plan((str(file),), **{"cpsat": False, "steps": 12, **options})
        settings = settings_of(plan, denoiser)
        store = (Store.resume if resume else Store.create)(tmp_path / "out", settings)
        sets = [one.sample(plan.sample, plan.seed) for one in survey(plan.files, plan.set)]
        return BenchRun(plan, sets, store, denoiser)

    return make


def figures(run: BenchRun) -> dict[str, Any]:
    """The rows of the only set by their names."""
    (one,) = results(run.store, run.sets, run.rows)["sets"]
    return {row["row"]: row for row in one["rows"]}


def solve(run: BenchRun) -> dict[str, Any]:
    for one in run.sets:
        run.solve(one, lambda record: None)
    return figures(run)


def test_an_oracle_is_valid_and_exact_in_one_step(bench: Any) -> None:
    row = solve(bench(f"{ONE},{ANSWER}", f"{OPEN},{ANSWER}", denoiser=Oracle(ANSWER)))["full"]
    assert (row["puzzles"], row["valid"], row["valid_percent"]) == (2, 2, 100.0)
    assert (row["with_solution"], row["exact"], row["exact_percent"]) == (2, 2, 100.0)
    assert (row["first_step_valid_percent"], row["mean_steps"]) == (100.0, 1.0)
    assert (row["mean_canvases"], row["mean_restarts"]) == (1.0, 0.0)
    assert row["puzzles_per_second"] > 0 and row["peak_mb"] > 10
    assert row["solved_by_step"] == [0] + [2] * 12


def test_another_right_answer_is_valid_and_not_exact(bench: Any) -> None:
    assert Sudoku.parse(OPEN).check(OTHER).valid and not Sudoku.parse(ONE).check(OTHER).valid
    row = solve(bench(f"{ONE},{ANSWER}", f"{OPEN},{ANSWER}", denoiser=Oracle(OTHER, ANSWER)))["full"]
    assert (row["valid_percent"], row["exact_percent"], row["exact"]) == (100.0, 50.0, 1)


def test_exact_counts_only_puzzles_that_come_with_a_solution(bench: Any) -> None:
    row = solve(bench(f"{ONE},{ANSWER}", f"{OPEN},", denoiser=Oracle(ANSWER)))["full"]
    assert (row["puzzles"], row["with_solution"], row["exact_percent"]) == (2, 1, 100.0)


def test_steps_are_those_of_the_first_valid_draft(bench: Any) -> None:
    row = solve(bench(f"{ONE},{ANSWER}", denoiser=Oracle(ANSWER, when=4)))["full"]
    assert (row["mean_steps"], row["first_step_valid"]) == (4.0, 0)
    assert row["solved_by_step"] == [0, 0, 0, 0] + [1] * 9


def test_what_is_never_solved_counts_all_its_steps(bench: Any) -> None:
    row = solve(bench(f"{ONE},{ANSWER}", denoiser=Oracle(ANSWER, when=99)))["full"]
    assert (row["valid"], row["exact"], row["mean_steps"], row["mean_canvases"]) == (0, 0, 12.0, 8.0)
    assert row["mean_restarts"] >= 1


def test_repeated_givens_are_counted_in_their_place_and_not_solved(bench: Any) -> None:
    run = bench(f"{ONE},{ANSWER}", f"{REPEATED},", f"{OPEN},{ANSWER}", denoiser=Oracle(ANSWER))
    seen: list[Record] = []
    run.solve(run.sets[0], seen.append)
    assert [record.status for record in seen] == ["FEASIBLE", "MODEL_INVALID", "FEASIBLE"]
    assert [record.line for record in seen] == [2, 3, 4]
    assert (figures(run)["full"]["puzzles"], figures(run)["full"]["valid_percent"]) == (3, 66.6)


def test_records_hold_answers_that_can_be_checked_again(bench: Any) -> None:
    run = bench(f"{OPEN},{ANSWER}", denoiser=Oracle(OTHER))
    seen: list[Record] = []
    run.solve(run.sets[0], seen.append)
    assert (seen[0].puzzle, seen[0].answer, seen[0].exact) == (OPEN, OTHER, False)


def test_ablation_rows_change_what_they_say(bench: Any) -> None:
    run = bench(f"{ONE},{ANSWER}", denoiser=Oracle(ANSWER), ablate=True)
    rows = solve(run)
    assert list(rows) == [
        "full",
        "no locks",
        "no feedback",
        "no re-noise",
        "kept values",
        "state not carried",
        "no suppositions",
        "one canvas",
        "no candidates",
    ]
    assert all(row["valid_percent"] == 100.0 for row in rows.values())
    assert rows["no feedback"]["mean_steps"] == 3.0  # it must settle: the mode stays for two steps more
    assert rows["no feedback"]["first_step_valid_percent"] is None
    assert (run.rows["one canvas"].attempts, run.rows["no candidates"].propagate) == (1, False)


def test_state_not_carried_keeps_an_oracle_from_counting_its_steps(bench: Any) -> None:
    rows = solve(bench(f"{ONE},{ANSWER}", denoiser=Oracle(ANSWER, when=3), ablate=True))
    assert (rows["full"]["valid"], rows["state not carried"]["valid"]) == (1, 0)
    assert rows["one canvas"]["mean_canvases"] == 1.0


class Given:
    """Counts the problems that solve_many was given, the warm-up left out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.problems: list[str] = []
        self._solve_many = run_module.solve_many
        monkeypatch.setattr(run_module, "solve_many", self)

    def __call__(self, problems: Iterator[Problem], denoiser: Denoiser, **options: Any) -> Iterator[Any]:
        def counted() -> Iterator[Problem]:
            for problem in problems:
                if options["sampling"].max_denoising_steps != WARM_STEPS:
                    self.problems.append(str(problem))
                yield problem

        return self._solve_many(counted(), denoiser, **options)


def test_a_resumed_run_solves_only_the_rest(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{ONE},{ANSWER}", f"{REPEATED},", *[f"{OPEN},{ANSWER}"] * 3, f"{ONE},{ANSWER}"]
    first = bench(*lines, denoiser=Oracle(ANSWER), ablate=True)
    seen: list[Record] = []

    def stop(record: Record) -> None:
        seen.append(record)
        if len(seen) == 10:  # in the second row
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.solve(first.sets[0], stop)
    given = Given(monkeypatch)
    second = bench(*lines, denoiser=Oracle(ANSWER), ablate=True, resume=True)
    assert second.left(second.sets[0]) == 9 * 6 - 10
    rows = solve(second)
    assert given.problems == [OPEN, ONE] + [ONE, OPEN, OPEN, OPEN, ONE] * 7
    assert {row["puzzles"] for row in rows.values()} == {6} and {row["valid"] for row in rows.values()} == {5}
    given.problems.clear()
    again = solve(bench(*lines, denoiser=Oracle(ANSWER), ablate=True, resume=True))
    assert given.problems == [] and again == rows


def test_a_resumed_run_gives_the_answers_of_an_unbroken_one(bench: Any, tmp_path: Path) -> None:
    lines = [f"{OPEN},{ANSWER}"] * 2 + ["1234" + "." * 12 + ","]
    whole = solve(bench(*lines, denoiser=RandomDenoiser(), steps=150))["full"]
    results_file = tmp_path / "out" / "results.jsonl"
    kept = results_file.read_text().splitlines(keepends=True)
    results_file.write_text(kept[0] + kept[1][:40])  # killed while it wrote the second
    resumed = solve(bench(*lines, denoiser=RandomDenoiser(), steps=150, resume=True))["full"]
    timed = {"seconds", "median_seconds", "puzzles_per_second", "peak_mb"}
    assert {k: v for k, v in resumed.items() if k not in timed} == {k: v for k, v in whole.items() if k not in timed}


def test_exact_search_is_timed_once_and_answers_nothing(bench: Any) -> None:
    lines = [f"{ONE},{ANSWER}", f"{OPEN},{ANSWER}"]
    run = bench(*lines, denoiser=Oracle(ANSWER, when=99), cpsat=True)
    row = solve(run)["full"]
    (one,) = results(run.store, run.sets, run.rows)["sets"]
    assert (one["cpsat"]["puzzles"], one["cpsat"]["answered"], row["valid"]) == (2, 2, 0)
    assert row["ratio_to_cpsat"] == pytest.approx(
        row["puzzles_per_second"] / one["cpsat"]["puzzles_per_second"], abs=2e-3
    )
    resumed = bench(*lines, denoiser=Oracle(ANSWER, when=99), cpsat=True, resume=True)
    solve(resumed)
    assert resumed.store.cpsat == run.store.cpsat


def test_ctrl_c_keeps_no_puzzle_that_was_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(problems: Iterator[Problem], *_: Any, **options: Any) -> Iterator[Solution]:
        """As `solve_many` ends: what was not done, then what waited behind it, then the interrupt."""
        first, second, third = (
            list(problems)[:3] if options["sampling"].max_denoising_steps > WARM_STEPS else [None] * 3
        )
        if first is not None:
            answer = tuple(map(int, ANSWER))
            yield Solution(first, Status.FEASIBLE, answer=answer, found_by="diffusion", steps=1, canvases=1)
            yield Solution(second, Status.UNKNOWN, interrupted=True)
            yield Solution(third, Status.FEASIBLE, answer=answer, found_by="diffusion", steps=1, canvases=1)
            raise KeyboardInterrupt

    monkeypatch.setattr(run_module, "solve_many", interrupted)
    (tmp_path / "three.txt").write_text(f"{ONE}\n" * 3)
    plan = Plan((str(tmp_path / "three.txt"),), cpsat=False)
    sets = survey(plan.files)
    store = Store.create(tmp_path / "run", settings_of(plan, RandomDenoiser()))
    with pytest.raises(KeyboardInterrupt):
        run = BenchRun(plan, sets, store, RandomDenoiser())
        run.solve(sets[0], lambda record: None)
    assert run.left(sets[0]) == 2 and store.tallies["three", next(iter(run.rows))].valid == 1
