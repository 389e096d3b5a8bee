"""What parallel canvases suppose."""

import pytest
import torch

from dgsolve.canvas import Canvas
from dgsolve.constraints.slot_domains import SlotDomains
from dgsolve.denoisers.base import IndexVocabulary
from dgsolve.problems.sudoku import Sudoku
from dgsolve.randomness import Stream
from dgsolve.sampling.supposition import suppose

OPEN = Sudoku((0,) * 81)


def fresh(puzzle: Sudoku, count: int, propagate: bool = True) -> Canvas:
    return Canvas.stack([puzzle.canvas(IndexVocabulary(puzzle.size), propagate=propagate)] * count)


def beliefs(canvas: Canvas, seed: int = 0) -> torch.Tensor:
    """Random marginals of one earlier canvas, for all rows."""
    logits = torch.randn(canvas.tokens.shape[1], OPEN.size, generator=torch.Generator().manual_seed(seed))
    domain = canvas.constraint.domain()[0]
    return logits.masked_fill(~domain, -1e4).softmax(-1).expand(len(canvas.tokens), -1, -1)


def equal_streams(count: int, seed: int = 3) -> Stream:
    return Stream(torch.full((count,), seed))


def many(slots: int, canvas: Canvas) -> torch.Tensor:
    """The same number of supposed slots for every canvas."""
    return torch.full((len(canvas.tokens),), slots)


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_equal_streams_and_all_combinations_cover_every_choice_of_two_values(slots):
    count = 2**slots
    canvas = fresh(OPEN, count, propagate=False)
    marginals = beliefs(canvas)
    supposed = suppose(canvas, marginals, torch.arange(count), equal_streams(count), many(slots, canvas))
    chosen = supposed.locked.nonzero()[:, 1].view(count, -1)
    assert (chosen == chosen[0]).all() and chosen.shape[1] == slots  # without propagation nothing decides a slot
    values = supposed.tokens.gather(1, chosen)
    assert len({tuple(row) for row in values.tolist()}) == count
    for place, slot in enumerate(chosen[0].tolist()):
        assert set(values[:, place].tolist()) == set(marginals[0, slot].topk(2).indices.tolist())


def test_the_bits_of_the_combination_say_best_or_second():
    canvas = fresh(OPEN, 2)
    marginals = beliefs(canvas)
    supposed = suppose(canvas, marginals, torch.tensor([0, 1]), equal_streams(2), many(1, canvas))
    slot = supposed.locked[0].nonzero().item()
    assert supposed.tokens[:, slot].tolist() == marginals[0, slot].topk(2).indices.tolist()


def test_locks_grow_and_reach_the_domains_of_peers():
    puzzle = Sudoku.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    canvas = fresh(puzzle, 8)
    before = canvas.constraint.domain()
    supposed = suppose(canvas, beliefs(canvas), torch.arange(8), Stream(torch.arange(8)), many(3, canvas))
    after, added = supposed.constraint.domain(), supposed.locked & ~canvas.locked
    assert (supposed.locked & canvas.locked).equal(canvas.locked) and (added.sum(1) >= 1).all()
    assert (after & ~before).sum() == 0
    assert torch.equal(supposed.tokens[canvas.locked], canvas.tokens[canvas.locked])
    for row, slot in added.nonzero().tolist():
        value = supposed.tokens[row, slot].item()
        assert before[row, slot, value] and after[row, slot].nonzero().flatten().tolist() == [value]
        peers = canvas.constraint.peers[slot]
        assert not after[row, peers, value].any()


def test_decided_slots_are_passed_over():
    nearly = Sudoku.parse("1.3. ..2. .1.. 4...")  # its givens leave two values to one slot and single ones to others
    canvas = fresh(nearly, 4)
    undecided = (canvas.constraint.domain().sum(-1) > 1) & ~canvas.locked
    for seed in range(10):
        uniform = torch.full((4, 16, 4), 0.25)
        supposed = suppose(canvas, uniform, torch.arange(4), Stream(torch.arange(4) + seed), many(3, canvas))
        assert not (supposed.locked & ~canvas.locked & ~undecided).any()
    full = fresh(Sudoku.parse("1234 3421 2143 4312"), 2)
    again = suppose(full, torch.full((2, 16, 4), 0.25), torch.tensor([0, 1]), equal_streams(2), many(3, full))
    assert torch.equal(again.tokens, full.tokens) and torch.equal(again.locked, full.locked)


def test_slots_are_drawn_in_proportion_to_their_second_value():
    count = 4000
    canvas = fresh(Sudoku((0,) * 16), count)
    marginals = torch.zeros(count, 16, 4)
    marginals[..., 0] = 1.0
    marginals[:, 3] = torch.tensor([0.4, 0.6, 0.0, 0.0])
    marginals[:, 9] = torch.tensor([0.0, 0.0, 0.8, 0.2])
    turn = torch.zeros(count, dtype=torch.long)
    drawn = suppose(canvas, marginals, turn, Stream(torch.arange(count)), many(1, canvas))
    share = drawn.locked.float().mean(0)
    assert share[3].item() == pytest.approx(2 / 3, abs=0.03) and share[9].item() == pytest.approx(1 / 3, abs=0.03)
    assert share.sum().item() == pytest.approx(1.0)


def test_each_canvas_supposes_as_many_slots_as_it_is_told_and_other_turns_choose_other_slots():
    canvas = fresh(OPEN, 6, propagate=False)
    supposed = suppose(canvas, beliefs(canvas), torch.arange(6), equal_streams(6), torch.tensor([1, 2, 3, 1, 2, 3]))
    assert supposed.locked.sum(1).tolist() == [1, 2, 3, 1, 2, 3]
    first = suppose(canvas, beliefs(canvas), torch.arange(6) * 4, equal_streams(6), many(2, canvas)).locked
    assert len({tuple(row) for row in first.tolist()}) > 1


def test_a_value_that_leaves_some_slot_none_is_excluded():
    """Slots a and b of two values each, and a rule that leaves b nothing where a holds 0."""

    def narrow(allowed: torch.Tensor) -> torch.Tensor:
        refuted = ~allowed[:, 0, 1]
        return allowed & ~(refuted[:, None, None] & torch.tensor([False, True])[:, None])

    domains = SlotDomains(torch.ones(2, 2, 2, dtype=torch.bool), narrow=narrow)
    canvas = Canvas(torch.zeros(2, 2, dtype=torch.long), torch.zeros(2, 2, dtype=torch.bool), domains)
    marginals = torch.tensor([[0.6, 0.4], [1.0, 0.0]]).expand(2, 2, 2)  # a is undecided: first 0, then 1 is supposed
    supposed = suppose(canvas, marginals, torch.tensor([0, 1]), equal_streams(2), many(1, canvas))
    assert supposed.constraint.domain()[:, 0].tolist() == [[False, True], [False, True]]
    assert supposed.constraint.domain()[:, 1].all()
    assert supposed.locked.tolist() == [[False, False], [True, False]]
