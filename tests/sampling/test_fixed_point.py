"""Fixed-point acceptance against its definition, and the noise that makes greedy choices draws."""

import itertools

import torch

from dgsolve.sampling import fixed_point


def test_the_matching_prefix_and_one_more_are_settled():
    fed = torch.tensor([[0, 1, 0, 1]])
    for draft in itertools.product(range(2), repeat=4):
        same = next((slot for slot in range(4) if draft[slot] != fed[0, slot]), 3)
        assert fixed_point.accept(torch.tensor([draft]), fed).tolist() == [same + 1]
    rows = fixed_point.accept(torch.tensor([[1, 2], [3, 4], [5, 6]]), torch.tensor([[1, 2], [3, 0], [0, 6]]))
    assert rows.tolist() == [2, 2, 1]


def test_noise_belongs_to_a_slot_whatever_the_window():
    seeds, first = torch.tensor([7, 8]), torch.tensor([3, 5])
    wide = fixed_point.noise(seeds, first, (4, 50), 1.0)
    assert wide.shape == (2, 4, 50)
    later = fixed_point.noise(seeds[:1], first[:1] + 2, (2, 50), 1.0)
    assert torch.equal(later[0], wide[0, 2:])
    assert not torch.equal(wide[0, 2], wide[1, 0])  # one slot, two seeds
    assert not torch.equal(wide[0, 0], wide[0, 1])
    assert torch.equal(fixed_point.noise(seeds, first, (4, 50), 0.5), wide * 0.5)
    assert wide.isfinite().all()


def test_the_greedy_choice_under_noise_is_a_draw():
    logits, temperature = torch.tensor([2.0, 1.0, 0.0, -1.0]), 0.7
    slots = 8_000
    noise = fixed_point.noise(torch.tensor([5]), torch.tensor([0]), (slots, 4), temperature)
    drawn = torch.bincount((logits + noise[0]).argmax(1), minlength=4) / slots
    expected = (logits / temperature).softmax(0)
    assert (drawn - expected).abs().max() < 4 * (0.25 / slots) ** 0.5
