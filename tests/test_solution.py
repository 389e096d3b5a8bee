"""What comes back: verdicts in words, and frames that judge themselves."""

from dataclasses import replace

import pytest

from dgsolve.problems.sudoku import Sudoku
from dgsolve.solution import Frame, Solution, Status

PUZZLE = Sudoku.parse("1.3. ..2. .1.. 4...")
ANSWER = (1, 2, 3, 4, 3, 4, 2, 1, 2, 1, 4, 3, 4, 3, 1, 2)


def frame(values, **fields) -> Frame:
    flags = (False,) * 16
    plain = {"accepted": flags, "locked": flags, "faulty": flags, "probability": (0.5,) * 16, "entropy": (0.1,) * 16}
    return Frame(PUZZLE, step=fields.pop("step", 3), values=values, **(plain | fields))


def test_statuses_are_their_names():
    assert [str(status) for status in Status] == ["FEASIBLE", "INFEASIBLE", "MODEL_INVALID", "UNKNOWN"]
    assert len({status.sentence for status in Status}) == 4


def test_a_frame_with_a_right_draft_is_feasible():
    right = frame(tuple(value - 1 for value in ANSWER), canvases=8, restarts=2, seconds=1.5)
    solution = right.solution()
    assert (solution.status, solution.answer, solution.found_by) == (Status.FEASIBLE, ANSWER, "diffusion")
    assert (solution.steps, solution.canvases, solution.restarts, solution.seconds) == (3, 8, 2, 1.5)
    assert solution.confidence == (0.5,) * 16 and right.faults == ()


def test_a_frame_with_a_faulty_draft_shows_the_faults_and_no_answer():
    swapped = (2, 1, *ANSWER[2:])  # both columns repeat, and a given is gone
    solution = frame(tuple(value - 1 for value in swapped)).solution()
    assert (solution.status, solution.answer, solution.found_by) == (Status.UNKNOWN, None, None)
    assert {slot for fault in solution.faults for slot in fault.slots} >= {0, 1}
    assert "r1c1" in solution.explain()


def test_means_are_over_open_slots():
    locked = (True,) * 14 + (False,) * 2
    mixed = frame(ANSWER, locked=locked, entropy=(9.0,) * 14 + (0.2, 0.4), probability=(0.0,) * 14 + (0.6, 0.8))
    assert mixed.mean_entropy == pytest.approx(0.3)
    assert mixed.confidence == pytest.approx(0.7)
    full = frame(ANSWER, locked=(True,) * 16)
    assert (full.mean_entropy, full.confidence) == (0.0, 1.0)


class TwoLetters(Sudoku):
    """Text in the first two slots alone."""

    def pieces(self, values):
        return ["a", "b"]


def test_means_of_a_text_are_over_what_is_written_and_its_end_not_padding_or_blocks_to_come():
    shares, entropies = (0.9, 0.7, 0.2) + (1.0,) * 5 + (0.0,) * 8, (0.1, 0.3, 0.5) + (0.0,) * 5 + (2.0,) * 8
    whole = frame((1, 2) + (0,) * 6 + (-1,) * 8, probability=shares, entropy=entropies)
    text = replace(whole, problem=TwoLetters(PUZZLE.givens))
    assert text.confidence == pytest.approx((0.9 + 0.7 + 0.2) / 3) and text.mean_entropy == pytest.approx(0.3)
    begun = replace(text, values=(1, 2) + (-1,) * 14)  # nothing ends it yet
    assert begun.confidence == pytest.approx(0.8) and begun.mean_entropy == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {"status": Status.FEASIBLE, "found_by": "diffusion", "steps": 1, "canvases": 1, "seed": 5},
            ["Solved: the answer keeps every rule.", "Found by diffusion in 1 step on 1 canvas, seed 5."],
        ),
        (
            {"status": Status.FEASIBLE, "found_by": "diffusion", "steps": 12, "canvases": 8, "solutions": "one"},
            [
                "Solved: the answer keeps every rule.",
                "Found by diffusion in 12 steps on 8 canvases, seed 0.",
                "It is the only solution.",
            ],
        ),
        (
            {"status": Status.FEASIBLE, "found_by": "exact", "solutions": "many"},
            [
                "Solved: the answer keeps every rule.",
                "Found by exact search (CP-SAT), not by diffusion.",
                "The problem has more than one solution.",
            ],
        ),
        (
            {"status": Status.UNKNOWN, "timed_out": True},
            ["No valid answer was found; that proves nothing.", "The time limit came first."],
        ),
        ({"status": Status.INFEASIBLE, "solutions": "none"}, ["Proven: no answer exists."]),
        (
            {"status": Status.MODEL_INVALID, "faults": tuple(Sudoku.parse("11.. .... .... ....").given_faults())},
            ["The givens already break a rule.", "1 stands twice in row 1 and box 1: r1c1 and r1c2"],
        ),
    ],
)
def test_explain(fields, lines):
    assert Solution(PUZZLE, **fields).explain().split("\n") == lines
