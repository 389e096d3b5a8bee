"""What is told of files of pairs before a run starts."""

import json
from pathlib import Path

import pytest

from dgsolve.errors import UsageError
from dgsolve.train.pair_files import PairFiles
from dgsolve.train.text_pairs import PairTokens

CANVAS = 6


def write(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def pair(prompt: str, answer: str, **grid) -> dict:
    return {"prompt": prompt, "answer": answer, **grid}


def tokens(files: PairFiles, context: int = 40) -> list[PairTokens]:
    return files.tokens(lambda some: PairTokens.of_small_model(some, CANVAS), context)


def test_files_are_read_with_those_kept_for_testing_beside_them(tmp_path) -> None:
    one, two = write(tmp_path / "one.jsonl", pair("a", "1")), write(tmp_path / "two.jsonl", pair("b", "22"))
    test = write(tmp_path / "two_held_out.jsonl", pair("c", "3"))
    files = PairFiles.read([one, two])
    assert list(files.learnt) == [one, two] and list(files.held_out) == [test]
    assert [some.pairs[0].answer for some in tokens(files)] == ["1", "22"]


def test_what_is_kept_for_testing_is_not_learnt(tmp_path) -> None:
    test = write(tmp_path / "a_held_out.jsonl", pair("x", "1"), pair("b", "2"))
    with pytest.raises(UsageError, match=r"a_held_out\.jsonl is kept for testing, by its name") as raised:
        PairFiles.read([test])
    assert f"Learn from {tmp_path / 'a.jsonl'}" in raised.value.hint
    learnt = write(tmp_path / "a.jsonl", pair("a", "1"), pair("b", "3"))
    with pytest.raises(UsageError, match=r"a_held_out\.jsonl:2 is kept for testing, and .*a\.jsonl:2 has the same"):
        PairFiles.read([learnt])


@pytest.mark.parametrize("name", ["a", "a_held_out"])
@pytest.mark.parametrize(
    ("row", "said"),
    [
        (pair("Say", "a<turn|>b"), r"cannot write this answer: from character 2 on '<turn\|>b' would come back as 'b'"),
        (pair("Say", "ab<pad>"), "from character 3 on '<pad>' would come back as ''"),
        (pair("Say " + "1" * 40, "1"), "the prompt has .* tokens and the answer takes canvases of 6, together more"),
        (pair("Say", "1" * 36), "the answer takes canvases of 42, together more than the 40 tokens"),
        (pair("Say", "1234" * 4, puzzle="." * 16, box=[2, 2]), "the grid takes 17 slots with its end.* canvas has 6"),
        (pair("Say", "\u00e9bbb", puzzle="....", box=[1, 2]), "writes the 4 cells of this grid as 5 tokens"),
    ],
)
def test_a_line_that_the_model_cannot_read_or_write_is_named(tmp_path, name, row, said) -> None:
    write(tmp_path / "a.jsonl", pair("a", "1"))
    path = tmp_path / f"{name}.jsonl"
    write(path, *([pair("other", "2")] if name != "a" else [pair("a", "1")]), row)
    with pytest.raises(UsageError, match=rf"{name}\.jsonl:2: .*{said}"):
        tokens(PairFiles.read([tmp_path / "a.jsonl"]))


def test_the_context_is_counted_to_the_token(tmp_path) -> None:
    path = write(tmp_path / "a.jsonl", pair("Say 12345", "12345"))  # with its end one canvas of 6
    prompt = PairTokens.of_small_model([], CANVAS)._tokens(PairFiles.read([path]).learnt[path][0])[0]
    tokens(PairFiles.read([path]), len(prompt) + CANVAS)
    with pytest.raises(UsageError, match=f"the prompt has {len(prompt)} tokens"):
        tokens(PairFiles.read([path]), len(prompt) + CANVAS - 1)
