"""Pairs read from lines of JSON and drawn as canvases."""

import pytest
import torch

from dgsolve.errors import UsageError
from dgsolve.train.text_pairs import PairTokens, TextPair, read_pairs, write_pairs


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def drawn(texts: list[str], count: int = 8, canvas_length: int = 6, **shares: float):
    pairs = PairTokens.of_small_model([TextPair("Say", text) for text in texts], canvas_length)
    return pairs, pairs.draw(count, generator(), **shares)


def test_lines_are_read(tmp_path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"prompt": "a", "answer": "b"}\n{"prompt": "c", "answer": "1", "puzzle": ".", "box": [1, 1]}\n')
    assert read_pairs(file) == [TextPair("a", "b"), TextPair("c", "1", ".", (1, 1))]


def test_what_is_written_is_read(tmp_path) -> None:
    path = tmp_path / "new" / "pairs.jsonl"
    pairs = [TextPair("a", '{"é": 1}'), TextPair("b\nc", "1221", "1...", (1, 2))]
    write_pairs(path, pairs)
    assert read_pairs(path) == pairs
    assert [child.name for child in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Expecting"),
        ("[]", r"it is \[\], no object"),
        ("[" * 100_000, "nested too deep"),
        ('{"prompt": "a"}', "it has no 'answer'"),
        ('{"answer": "a"}', "it has no 'prompt'"),
        ('{"prompt": 5, "answer": "b"}', "its 'prompt' is 5, no text"),
        ('{"prompt": "a", "answer": ""}', "its 'answer' is '', no text"),
        ('{"prompt": "a", "answer": "\\ud800"}', "its 'answer' has half a character"),
        ('{"prompt": "a", "answer": "b", "box": 3}', "it has no 'puzzle'"),
        ('{"prompt": "a", "answer": "b", "puzzle": "."}', r"its 'box' is None, not \[rows, columns\]"),
        ('{"prompt": "a", "answer": "b", "puzzle": ".", "box": [1, true]}', "its 'box' is"),
        ('{"prompt": "a", "answer": "12", "puzzle": ".", "box": [1, 1]}', "its 'puzzle' has 1 cells"),
        ('{"prompt": "a", "answer": "12", "puzzle": "..", "box": [1, 1]}', "its 'puzzle' has 2 cells.*takes 1"),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path, line: str, said: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"prompt": "a", "answer": "b"}\n\n' + line)
    with pytest.raises(UsageError, match=rf"pairs\.jsonl:3 is no pair of prompt and answer: .*{said}"):
        read_pairs(file)


def test_what_cannot_be_read_is_told(tmp_path) -> None:
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_pairs(tmp_path)
    (tmp_path / "latin.jsonl").write_bytes(b'{"prompt": "a", "answer": "b"}\n{"prompt": "\xe9"}\n')
    with pytest.raises(UsageError, match=r"latin\.jsonl:2 is no UTF-8"):
        read_pairs(tmp_path / "latin.jsonl")


def test_a_line_ends_with_its_line_break_alone(tmp_path) -> None:
    (tmp_path / "pairs.jsonl").write_text('\ufeff{"prompt": "a\u2028b", "answer": "c\x85"}\r\n', "utf-8")
    assert read_pairs(tmp_path / "pairs.jsonl") == [TextPair("a\u2028b", "c\x85")]


def test_an_empty_file_is_told(tmp_path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(UsageError, match="has no pairs"):
        read_pairs(tmp_path / "none.jsonl")


def test_a_whole_canvas_holds_the_text_the_end_of_the_turn_and_padding() -> None:
    pairs, batch = drawn(["12"])
    one, two = pairs.tokenizer.convert_tokens_to_ids(["1", "2"])
    assert batch.canvas.tolist() == [[one, two, pairs.end_of_turn, 0, 0, 0]] * 8
    assert batch.text.tolist() == [[True] * 3 + [False] * 3] * 8
    assert pairs.tokenizer.decode(batch.context[0]) == "<bos><|turn>user\nSay<turn|>\n<|turn>model\n"
    assert batch.known.all()


def test_a_canvas_can_be_as_short_as_its_text_or_end_before_the_turn_does() -> None:
    assert drawn(["12"], whole_share=0.0)[1].canvas.shape == (8, 3)
    pairs, batch = drawn(["12"], whole_share=0.0, cut_share=1.0)
    assert pairs.tokenizer.decode(batch.canvas[0]) == "12"


def test_of_a_long_text_each_canvas_is_drawn_after_what_comes_before_it() -> None:
    pairs, batch = drawn(["1234567890"], count=40, canvas_length=4)
    seen = set()
    for context, known, canvas in zip(batch.context, batch.known, batch.canvas, strict=True):
        before = pairs.tokenizer.decode(context[known]).partition("model\n")[2]
        seen.add((before, pairs.tokenizer.decode(canvas)))
        assert not known[: int((~known).sum())].any()  # all the padding is on the left
    assert seen == {("", "1234"), ("1234", "5678"), ("12345678", "90<turn|><pad>")}
