"""Records told in sentences, and as JSON."""

import json

from dgsolve.train.json_texts import KINDS, json_pairs
from dgsolve.train.small_tokenizer import small_tokenizer


def test_every_value_of_an_answer_stands_in_its_prompt() -> None:
    for pair in json_pairs(60, seed=0, test=False):
        record = json.loads(pair.answer)
        told = {True: "yes", False: "no"}
        for key, value in record.items():
            assert key in pair.prompt
            assert (told[value] if isinstance(value, bool) else str(value)) in pair.prompt.partition("\n")[2]


def test_all_kinds_come_and_the_same_seed_repeats() -> None:
    pairs = list(json_pairs(6, seed=1, test=False))
    assert [pair.prompt.split()[2] for pair in pairs] == [*KINDS] * 2
    assert pairs == list(json_pairs(6, seed=1, test=False)) != list(json_pairs(6, seed=2, test=False))


def test_the_last_layout_is_kept_for_testing() -> None:
    tested = [pair.prompt.partition("\n")[2] for pair in json_pairs(3, seed=0, test=True)]
    assert tested[0].startswith("Name: ") and tested[1].startswith("Price ") and tested[2].startswith("Event ")
    learnt = [pair.prompt.partition("\n")[2] for pair in json_pairs(300, seed=0, test=False)]
    assert not any(text.startswith(("Name: ", "Price ", "Event ")) for text in learnt)


def test_answers_fit_the_small_model_s_canvas() -> None:
    tokenizer = small_tokenizer()
    assert max(len(tokenizer(pair.answer)["input_ids"]) for pair in json_pairs(300, seed=0, test=False)) < 96
