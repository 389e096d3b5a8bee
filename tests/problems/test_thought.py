"""A thought as models write it: with the name of its channel, and with white space between it and the text."""

import pytest

from dgsolve import Model, Regex
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.language.vocabulary import TextVocabulary

OPEN, CLOSE, END = 257, 258, 256
BYTES = tuple(bytes([byte]) for byte in range(256))


class Wishing(RandomDenoiser):
    """It wants certain tokens, then the end."""

    def __init__(self, markers: tuple[str, str], wish: list[int]) -> None:
        added = dict(zip(markers, (OPEN, CLOSE), strict=True))
        super().__init__(TextVocabulary((*BYTES, None, None, None), (END,), END, added))
        self.wish = wish

    def denoise(self, tokens, state):
        logits, state = super().denoise(tokens, state)
        for slot in range(logits.shape[1]):
            logits[:, slot, [*self.wish, *[END] * 99][slot]] = 40.0
        return logits, state


def run(markers, wish, form="[ab]*"):
    return Model(Wishing(markers, wish)).run("?", Regex(form), max_new_tokens=40, thinking=20)


@pytest.mark.parametrize("white", [b"", b"\n", b"\n\n", b" \n \n"])
@pytest.mark.parametrize(
    ("markers", "named"), [(("<think>", "</think>"), b""), (("<|channel>", "<channel|>"), b"thought\n")]
)
def test_text_and_thought_are_what_stands_around_name_and_white_space(white, markers, named):
    result = run(markers, [OPEN, *named, *b"why\n\n", CLOSE, *white, *b"abba"])
    assert (result.thought, result.text) == ("why\n\n", "abba")
    problem, values = result.solution.problem, list(result.solution.values)
    start = len(named) + 7 + len(white)
    assert problem.start(values) == start and list(problem.token_spans(values).slots(1, 3)) == [start + 1, start + 2]
    assert problem.forced(values)[:start] == [False] * start
    assert result.usage.thinking_tokens == len(named) + 7
    assert result.usage.completion_tokens == start + len("abba") + 1
    assert result.confidence[""] == pytest.approx(1) and result.distribution == {}


def test_white_space_that_begins_a_text_is_of_the_text():
    result = run(("<think>", "</think>"), [*b"why", CLOSE, *b"\n\n a"], " a|b")
    assert (result.thought, result.text) == ("why", " a")
    assert result.distribution[""][" a"] == pytest.approx(1)


def test_no_more_than_four_tokens_of_it():
    result = run(("<think>", "</think>"), [*b"why", CLOSE, *b"\n" * 6, *b"ab"])
    values = list(result.solution.values)
    assert values[3:8] == [CLOSE, *b"\n" * 4] and values[8] in (*b"ab", END)
