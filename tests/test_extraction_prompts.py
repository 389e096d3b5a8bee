"""The extraction benchmark's prompts: right answers that stand in the text, disjoint splits, a fair comparison."""

import importlib.util
import sys
from pathlib import Path

import jsonschema_rs
import pytest

FILE = Path(__file__).resolve().parents[1] / "benchmarks" / "extraction_prompts.py"


@pytest.fixture(scope="module")
def prompts():
    spec = importlib.util.spec_from_file_location("extraction_prompts", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    yield spec.loader.exec_module(module) or module
    del sys.modules[spec.name]


def leaves(value):
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from leaves(part)
    elif not isinstance(value, bool):
        yield f"{value:.2f}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize("split", ["dev", "held-out"])
def test_answers_fit_the_schema_and_stand_in_the_text(prompts, split):
    made = prompts.make_extractions(80, 3, split)
    assert {one.kind for one in made} == {"contact", "invoice", "event", "order"}
    for one in made:
        assert jsonschema_rs.is_valid(one.schema, one.answer), one
        text = one.prompt.split("Text:\n")[1]
        assert all(leaf in text for leaf in leaves(one.answer)), one
        assert prompts.right_fields(one.answer, one.answer) == len(one.answer) >= 3


def test_booleans_can_be_told_from_the_text(prompts):
    for kind in prompts.KINDS.values():
        record = kind.make(prompts.random.Random(0))
        for name, value in record.items():
            if isinstance(value, bool):
                for layout in (*kind.layouts["dev"], *kind.layouts["held-out"]):
                    assert layout.show(record) != layout.show(record | {name: not value})


def test_the_seed_decides_and_splits_share_no_layout(prompts):
    assert prompts.make_extractions(12, 1) == prompts.make_extractions(12, 1)
    assert prompts.make_extractions(12, 1) != prompts.make_extractions(12, 2)
    for kind in prompts.KINDS.values():
        dev, held_out = ({layout.text for layout in kind.layouts[split]} for split in ("dev", "held-out"))
        assert not dev & held_out and len(dev) >= 3 and len(held_out) >= 3


@pytest.mark.parametrize(
    ("found", "value", "right"),
    [(2.5, 2.50, True), (3.0, 3, True), (" a", "a", True), ("A", "a", False), (1, True, False), (True, 1, False),
     ("3", 3, False), ([{"a": 1}], [{"a": 1}], True), ([{"a": 1}] * 2, [{"a": 1}], False), ([{}], [{"a": 1}], False)],
)  # fmt: skip
def test_what_counts_as_right(prompts, found, value, right):
    assert prompts.same(found, value) is right


def test_fields_are_counted_one_by_one(prompts):
    answer = {"name": "Ada", "age": 36, "free": True}
    assert prompts.right_fields({"name": "Ada", "age": 35, "free": True, "more": 1}, answer) == 2
    for found in ({}, [1], None, "Ada"):
        assert prompts.right_fields(found, answer) == 0
