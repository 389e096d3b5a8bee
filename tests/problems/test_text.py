"""A text as a canvas problem: what its slots spell, where its faults lie, and what a repair pins."""

import numpy as np
import pytest
from pydantic import BaseModel, field_validator

from dgsolve.errors import BudgetError
from dgsolve.forms import compile_form
from dgsolve.language.byte_vocabulary import END, byte_vocabulary
from dgsolve.problems.text import Text

VOCABULARY = byte_vocabulary()


class Pair(BaseModel):
    a: int
    b: int

    @field_validator("b")
    @classmethod
    def small(cls, value: int) -> int:
        if value > 5:
            raise ValueError("too big")
        return value


FORM = compile_form(Pair)
RIGHT, WRONG = '{"a":1,"b":2}', '{"a":1,"b":7}'


def problem(slots: int = 20) -> Text:
    return Text(FORM, VOCABULARY, "?", slots)


def draft(text: str, slots: int = 20) -> list[int]:
    return [*text.encode(), *[END] * (slots - len(text.encode()))]


def test_a_draft_spells_the_text_before_its_end():
    assert problem().decode(draft(RIGHT)) == RIGHT and problem().written(draft(RIGHT)) == len(RIGHT) + 1
    assert problem().decode([*RIGHT.encode(), -1, -1]) == RIGHT  # slots that hold nothing yet
    assert problem().pieces(draft(RIGHT)) == list(RIGHT)
    assert "".join(problem().pieces(draft('"é"'))) == '"é"'  # a character over two slots


def test_faults_lie_on_the_slots_of_the_value():
    assert not problem().faulty_slots(np.array([draft(RIGHT)])).any()
    faulty = problem().faulty_slots(np.array([draft(WRONG)]))[0]
    assert np.flatnonzero(faulty).tolist() == [WRONG.index("7")]
    (fault,) = problem().check(WRONG).faults
    assert fault.scope == ("/b",) and "too big" in fault.message
    assert problem().faulty_slots(np.array([draft('{"a":1')])).all()  # no JSON: no place to point at


def test_slots_of_bytes():
    assert list(problem().token_spans(draft(RIGHT)).slots(5, 6)) == [5]
    assert list(problem().token_spans(draft(RIGHT)).slots(18, 20)) == []


@pytest.mark.parametrize(("tries", "kept"), [(1, '{"a":1,"b":?}'), (2, '{"a":1,"b":'), (3, ""), (4, '{"a":1,"b":?}')])
def test_what_a_repair_pins(tries, kept):
    text = problem()
    canvas = text.repaired(text.canvas(VOCABULARY), draft(WRONG), tries)
    locked = canvas.locked[0].tolist()
    shown = "".join(char if lock else "?" for char, lock in zip(WRONG, locked, strict=False))
    assert shown.rstrip("?") == kept and not any(locked[len(WRONG) :])
    assert bool(canvas.constraint.satisfiable().all())


def test_the_shortest_text_must_have_room():
    fewest = len('{"a":0,"b":0}') + 1
    assert problem(fewest).canvas(VOCABULARY).tokens.shape == (1, fewest)
    with pytest.raises(BudgetError) as caught:
        problem(fewest - 1).canvas(VOCABULARY)
    assert (caught.value.min_tokens, caught.value.max_tokens) == (fewest, fewest - 1)


def test_texts_of_one_form_and_budget_share_a_batch():
    assert problem().shape() == Text(FORM, VOCABULARY, "!", 20).shape() != problem(21).shape()


def test_what_the_form_leaves_no_choice_about_is_forced():
    vocabulary = byte_vocabulary()
    text = Text(compile_form({"enum": [{"a": "x"}, {"a": "y"}]}), vocabulary, None, 20)
    by_byte = {piece: token for token, piece in enumerate(vocabulary.pieces) if piece and len(piece) == 1}
    written = b'{"a": "x"}'
    values = [by_byte[bytes([byte])] for byte in written]
    shown = bytes(byte if held else ord(".") for byte, held in zip(written, text.forced(values), strict=True))
    assert shown == b'{"a":."."}'  # a space or none, and one of two letters
