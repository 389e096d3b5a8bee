"""Which class sets are reduced together, and that the layouts that are remembered stay within their bound."""

import numpy as np
import pytest
import torch

from dgsolve.constraints import canvas_sums
from dgsolve.constraints.canvas_sums import Layouts
from dgsolve.constraints.class_reduction import reduce_classes
from dgsolve.constraints.indexed_table import IndexedTable

from .small_tables import distances, table

V = 4096


def layouts() -> Layouts:
    """Three classes of 3, 5 and 8 tokens, one of 200, one of all the rest but the end and padding."""
    token_class = np.full(V, 4)
    token_class[:216] = np.repeat(range(4), [3, 5, 8, 200])
    token_class[-2:] = 5, 6
    rows = [{**dict.fromkeys(range(5), 0), 5: 1}, {6: 1}]
    return Layouts(IndexedTable(table(token_class, rows, distances(rows))))


def test_sets_of_little_size_are_joined():
    sets = [np.array(classes) for classes in ([0], [3], [1, 2], [4, 5], [0, 5])]
    joined = layouts().joined(sets)
    assert [classes.tolist() for classes in joined] == [[0, 1, 2, 5], [3], [0, 1, 2, 5], [4, 5], [0, 1, 2, 5]]


@pytest.mark.parametrize("sets", [[[0]], [[0], [3]], []])
def test_one_little_set_stays_as_it_is(sets):
    joined = layouts().joined([np.array(classes) for classes in sets])
    assert [classes.tolist() for classes in joined] == sets


def test_sets_that_are_much_together_are_not_joined(monkeypatch):
    monkeypatch.setattr(canvas_sums, "LITTLE_TOGETHER", 15 / V)
    assert [classes.tolist() for classes in layouts().joined([np.array([0, 1]), np.array([2])])] == [[0, 1], [2]]


def test_what_is_joined_has_the_sums_of_each_class():
    found, logits = layouts(), torch.randn(2, V, generator=torch.Generator().manual_seed(0))
    joined = found.joined([np.array([0, 2]), np.array([1])])
    sums = reduce_classes(logits, [0, 1], found.of(joined[0]))
    for number, tokens in enumerate((slice(0, 3), slice(3, 8), slice(8, 16))):
        wanted = logits[:, tokens].double().logsumexp(-1).numpy()
        assert sums.log_sum[:, sums.layout.place[number]] == pytest.approx(wanted, abs=1e-5)


def test_the_layout_used_longest_ago_is_forgotten(monkeypatch):
    monkeypatch.setattr(canvas_sums, "KEPT_PLACES", 2 * canvas_sums.LAYOUT_PLACES + 100)
    found = layouts()
    first, second = found.of(np.array([0])), found.of(np.array([1]))
    assert found.of(np.array([0])) is first
    found.of(np.array([2]))
    assert found.of(np.array([0])) is first
    assert found.of(np.array([1])) is not second
