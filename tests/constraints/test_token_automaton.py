"""Token automata as constraints: settling, locking, budgets, greedy choice, certain text."""

import numpy as np
import pytest
import torch

from dgsolve.constraints.indexed_table import FREE, IndexedTable
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.errors import BudgetError, UsageError
from dgsolve.language.algebra import concat, literal, strings
from dgsolve.language.token_table import TokenTable, compile_tokens
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.randomness import Stream

from .small_tables import Exhaustive, as_lists, distances, random_table, table
from .test_token_posterior import case

LETTERS = TextVocabulary((b"a", b"b", b"c", b"ab", b"bc", b"ca", None, None), end_ids=(6,), pad_id=7)


def two_texts() -> TokenTable:
    """`abca`, or `abcb`, then the end."""
    return compile_tokens(concat(literal(b"abc"), strings([b"a", b"b"])), LETTERS)


def greedy_by_hand(table: TokenTable, scores, state: int, left: int, pins: dict[int, int]) -> list[int]:
    """The best token that leaves a way to the end, by trying them all in order."""
    chosen: list[int] = []
    for slot in range(len(scores)):
        for token in np.argsort(-np.asarray(scores[slot]), kind="stable").tolist():
            forced = pins | dict(enumerate([*chosen, token]))
            if token == pins.get(slot, token) and Exhaustive.of(table, scores, state, left, forced).weights:
                chosen.append(token)
                break
    return chosen


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_left_to_right_is_greedy_within_the_language_and_the_budget(seed, noisy):
    length = 5
    rules, automaton, logits, generator = case(seed, length)
    text = automaton.posterior(logits).sample(Stream(torch.tensor([seed])))
    pinned = torch.from_numpy(generator.random((1, length)) < 0.2)
    noise = torch.from_numpy(generator.normal(size=(1, 4, logits.shape[-1]))).float() if noisy else None
    window = logits[:, :4]
    scores = as_lists(window[0] if noise is None else window[0] + noise[0])
    pins = {slot: int(text[0, slot]) for slot in range(length) if pinned[0, slot]}
    found = automaton.lock(text, pinned).left_to_right(window, noise)
    assert found.tokens[0].tolist() == greedy_by_hand(rules, scores, 0, length, pins)


def test_left_to_right_takes_the_lowest_of_equals():
    automaton = TokenAutomaton.begin(two_texts(), 8)
    assert automaton.left_to_right(torch.zeros(1, 8, 8)).tokens[0].tolist() == [0, 1, 2, 0, 6, 7, 7, 7]


def test_budgets_decide_what_fits():
    automaton = TokenAutomaton.begin(two_texts(), 3)
    assert automaton.satisfiable().tolist() == [True]
    drawn = {tuple(automaton.posterior(torch.zeros(1, 3, 8)).sample(Stream(torch.tensor([s])))[0].tolist())
             for s in range(40)}  # fmt: skip
    assert drawn == {(3, 5, 6)}  # ab, ca, end: the others need four tokens
    short = TokenAutomaton.begin(two_texts(), 2)
    assert short.satisfiable().tolist() == [False]
    assert not short.domain().any()
    with pytest.raises(BudgetError) as caught:
        short.posterior(torch.zeros(1, 2, 8))
    assert (caught.value.min_tokens, caught.value.max_tokens) == (3, 2)
    with pytest.raises(BudgetError):
        short.left_to_right(torch.zeros(1, 1, 8))


def test_locks_hold_contradict_and_are_left_behind():
    automaton = TokenAutomaton.begin(two_texts(), 6, rows=2)
    tokens, third = torch.tensor([[0, 0, 0, 1, 0, 0]] * 2), torch.tensor([[0, 0, 0, 1, 0, 0]] * 2).bool()
    locked = automaton.lock(tokens, third)
    logits = torch.zeros(2, 6, 8)
    assert (locked.posterior(logits).mode()[:, 3] == 1).all()
    assert torch.equal(locked.posterior(logits).probability(tokens)[:, 3], torch.ones(2))
    assert torch.equal(locked.posterior(logits).entropy[:, 3], torch.zeros(2))
    one = torch.tensor([[False], [True]])
    again = locked.lock(torch.full_like(tokens, 0), third & one)
    assert again.satisfiable().tolist() == [True, False]
    with pytest.raises(UsageError, match="canvas 1"):
        again.posterior(logits)
    settled = locked.settle(torch.tensor([[0, 1, 2, 1, 6, 7]] * 2), torch.tensor([4, 5]))
    assert settled.first.tolist() == [4, 5] and settled.satisfiable().all()
    assert settled.posterior(logits[:, :1]).mode().tolist() == [[6], [7]]


def test_settling_what_does_not_fit_is_refused():
    automaton = TokenAutomaton.begin(two_texts(), 6)
    with pytest.raises(UsageError, match="token 2 does not fit in slot 1"):
        automaton.settle(torch.tensor([[0, 2, 0, 0, 0, 0]]), torch.tensor([2]))
    with pytest.raises(UsageError, match="between 0 and 6, not 7"):
        automaton.settle(torch.zeros(1, 6).long(), torch.tensor([7]))
    with pytest.raises(UsageError, match="at most 6"):
        automaton.posterior(torch.zeros(1, 7, 8))


def test_after_each_step_the_rest_is_what_it_would_be_alone():
    """Masks are made once for a whole canvas: against those of the slots that are left, made anew."""
    for seed in range(8):
        rules, automaton, logits, generator = case(seed, 7)
        text = automaton.posterior(logits).sample(Stream(torch.tensor([seed])))
        canvas = automaton.lock(text, torch.from_numpy(generator.random((1, 7)) < 0.4))
        for first in range(8):
            left = canvas.settle(text, torch.tensor([first]))
            pins = np.where(left.pinned[0, first:], rules.token_class[text[0, first:].numpy()], FREE).astype(np.int64)
            wanted = IndexedTable(rules).completable(pins.tobytes(), 7 - first, 7 - first)
            assert all(map(np.array_equal, left._completable[0], wanted)) and len(wanted) == 8 - first


def test_domain_is_what_has_probability():
    rules, automaton, logits, _ = case(2, 4)
    marginals = automaton.posterior(logits).marginals
    assert torch.equal(automaton.domain(), marginals > 0)
    assert len(rules.token_class) == marginals.shape[-1]


def test_rows_put_and_stack_are_the_rows_one_by_one():
    rules = random_table(np.random.default_rng(5))
    automaton = TokenAutomaton.begin(rules, 7, rows=4)
    text = automaton.posterior(torch.zeros(4, 7, len(rules.token_class))).sample(Stream(torch.arange(4)))
    every = automaton.settle(text, torch.arange(4)).lock(text, torch.eye(4, 7).bool())
    logits = torch.randn(4, 3, len(rules.token_class), generator=torch.Generator().manual_seed(0))
    wanted = every.posterior(logits)
    index = torch.tensor([2, 0, 2])
    assert torch.equal(every.rows(index).posterior(logits[index]).marginals, wanted.marginals[index])
    stacked = TokenAutomaton.stack([every.rows(torch.tensor([row])) for row in range(4)])
    assert torch.equal(stacked.posterior(logits).entropy, wanted.entropy)
    put = automaton.put(torch.tensor([3, 1]), every.rows(torch.tensor([3, 1])))
    assert put.first.tolist() == [0, 1, 0, 3] and every.first.tolist() == [0, 1, 2, 3]
    assert torch.equal(put.rows(torch.tensor([1, 3])).posterior(logits[[1, 3]]).log_z, wanted.log_z[[1, 3]])
    with pytest.raises(UsageError, match="different token tables"):
        TokenAutomaton.stack([every, TokenAutomaton.begin(two_texts(), 7)])


def test_everything_locked_leaves_one_canvas():
    rows = [{0: 1}, {0: 1, 1: 2}, {2: 2}]
    rules = table([0, 0, 1, 2], rows, distances(rows))
    tokens = torch.tensor([[0, 1, 1, 2, 3]])
    locked = TokenAutomaton.begin(rules, 5).lock(tokens, torch.ones(1, 5).bool())
    posterior = locked.posterior(torch.randn(1, 5, 4))
    assert torch.equal(posterior.mode(), tokens) and torch.equal(posterior.sample(Stream(torch.tensor([4]))), tokens)
    assert torch.equal(posterior.entropy, torch.zeros(1, 5))
    assert posterior.log_probability(tokens).item() == pytest.approx(0.0, abs=1e-5)


def test_left_to_right_stays_within_the_language_when_all_that_fits_is_minus_infinity():
    automaton = TokenAutomaton.begin(two_texts(), 8)
    logits = torch.full((1, 8, 8), -torch.inf)
    logits[..., 7] = 3.0
    assert automaton.left_to_right(logits).tokens[0].tolist() == [0, 1, 2, 0, 6, 7, 7, 7]
