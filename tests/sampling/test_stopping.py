"""When a canvas has settled."""

import torch

from dgsolve.sampling.stopping import confident, stable_and_confident


def test_settled_needs_both_low_entropy_and_a_stable_mode():
    entropy = torch.tensor([0.004, 0.004, 0.005, 0.9])
    stable = torch.tensor([2, 1, 9, 9])
    assert stable_and_confident(entropy, stable, 0.005, 2).tolist() == [True, False, False, False]


def test_confident_means_every_open_slot():
    probability = torch.tensor([[0.9, 0.99], [0.95, 0.99], [0.1, 0.97]])
    locked = torch.tensor([[False, False], [False, False], [True, False]])
    assert confident(probability, locked, 0.95).tolist() == [False, True, True]
