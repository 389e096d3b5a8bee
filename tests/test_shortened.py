"""What messages show of texts and values."""

import pytest

from dgsolve import Choice, Model, Regex, Sudoku, solve
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import UsageError
from dgsolve.shortened import shortened, shown

MANY_DIGITS = 10**5000  # more than Python writes
PUZZLE = Sudoku.parse(".2.....24.....3.")


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError("odd")


@pytest.mark.parametrize(("most", "cut"), [(8, "as it is"), (7, "as i..."), (100, "as it is")])
def test_a_text_is_cut_where_it_is_too_long(most, cut):
    assert shortened("as it is", most) == cut


def test_a_value_is_shown_as_python_writes_it():
    assert shown("a'b") == '"a\'b"'
    assert shown(["x" * 90]) == "['" + "x" * 55 + "..."
    assert shown(MANY_DIGITS) == "<int>" and shown([Shy()]) == "<list>"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: solve(MANY_DIGITS), "<int> is not a problem"),
        (lambda: solve(Shy()), "<Shy> is not a problem"),
        (lambda: solve(PUZZLE, "random", seed=MANY_DIGITS), "seed=<int>: write a whole number"),
        (lambda: solve(PUZZLE, "random", attempts=MANY_DIGITS), "attempts=<int>): write a whole number"),
        (lambda: Sudoku.parse("." * 16, box=[MANY_DIGITS, 2]), "box=<list> is not the shape of a box"),
        (lambda: PUZZLE.filled(MANY_DIGITS), "<int> does not fill a 4x4 grid"),
        (lambda: Regex(MANY_DIGITS), "Regex takes the text of a pattern, not <int>"),
        (lambda: Choice([MANY_DIGITS]), "option 0 of Choice is <int>, not a text"),
        (lambda: Model(RandomDenoiser()).generator(Choice(["a"]), fill=[Shy()]), "fill=<list>: only JSON"),
    ],
)
def test_misuse_is_told_even_with_what_python_cannot_write(call, said):
    with pytest.raises(UsageError) as caught:
        call()
    assert said in str(caught.value)
