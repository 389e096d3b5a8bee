"""Errors as the command line says them."""

import pytest

from dgsolve.cli.option_words import reword
from dgsolve.errors import BudgetError, FillError, UsageError


@pytest.mark.parametrize(
    ("error", "said", "hint"),
    [
        (BudgetError(12, 3), "tokens, but --max-new-tokens is 3", "Give at least --max-new-tokens 12."),
        (UsageError("draw=True", hint="lower max_new_tokens, t_max="), "--draw", "lower --max-new-tokens, --t-max"),
        (UsageError("Sampling(attempts=99999): at most 999"), "--attempts 99999: at most 999", ""),
        (UsageError("time_limit=nan: write seconds, or None"), "--time-limit nan: write seconds", ""),
        (
            UsageError("thinking=5: no", hint='Give thinking_markers=("<think>", "</think>"); each a token.'),
            "--thinking 5: no",
            "Give --thinking-markers '<think>' '</think>'; each a token.",
        ),
        (UsageError("thinking_markers=('a', '\"')"), "--thinking-markers a '\"'", ""),
        (UsageError("fill=[1]: no", hint="seed=1, seed=2"), "--fill [1]: no", "--seed 1, --seed 2"),
    ],
)
def test_options_are_named_as_they_are_typed(error, said, hint):
    reword(error)
    assert str(error).endswith(said) and error.hint == hint


def test_keys_named_like_options_stay_as_they_are():
    error = FillError("the output has no 't_max' there", pointer="/time_limit/0")
    reword(error)
    assert str(error) == "--fill at /time_limit/0: the output has no 't_max' there"
    error = UsageError('none passed: the value: must have the key "max_new_tokens"')
    reword(error)
    assert str(error) == 'none passed: the value: must have the key "max_new_tokens"'


def test_notes_below_a_traceback_name_options_as_they_are_typed():
    error = UsageError("no")
    error.__notes__ = ["Give more time_limit=."]
    reword(error)
    assert error.__notes__ == ["Give more --time-limit."]
