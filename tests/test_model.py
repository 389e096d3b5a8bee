"""Asking a model for an object: whatever proposes the tokens, what comes back is in form and passed every validator."""

import asyncio
import re

import pytest
from pydantic import BaseModel, field_validator, model_validator

import dgsolve
from dgsolve import Choice, Model, Regex
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import (
    BudgetError,
    FillError,
    IncompleteOutputError,
    OutputValidationError,
    UsageError,
)
from dgsolve.language import json_text

DRAWN = {"draw": True, "max_denoising_steps": 1}  # a denoiser that knows nothing has nothing to settle
CLOSED = {"additionalProperties": False}
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 6},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
    },
    "required": ["name", "age"],
} | CLOSED


@pytest.fixture(scope="module")
def model() -> Model:
    return Model(RandomDenoiser())


class Even(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


class Never(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def refuse(cls, value: int) -> int:
        raise ValueError("never right")


@pytest.mark.parametrize("seed", range(5))
def test_every_text_is_in_form(model, seed):
    pattern = r"[A-Z]{2}-\d{4}(x|yy)?"
    assert re.fullmatch(pattern, model.generate("?", Regex(pattern), seed=seed, **DRAWN))
    assert model.generate("?", Choice(["red", "green"]), seed=seed, **DRAWN) in ("red", "green")
    person = model.generate("?", PERSON, seed=seed, max_new_tokens=60, **DRAWN)
    assert 0 <= person["age"] <= 120 and len(person["name"]) <= 6


def test_the_same_seed_writes_the_same_text_alone_and_in_a_batch(model):
    generator = model.generator(PERSON, max_new_tokens=60)
    alone = generator.run("?", seed=3, **DRAWN)
    assert alone.text == generator.run("?", seed=3, **DRAWN).text
    assert list(generator.batch(["?", "!"], seed=3, **DRAWN)) == [alone.output] * 2  # the prompts say nothing to it
    assert len({generator.run("?", seed=seed, **DRAWN).text for seed in range(4)}) == 4


def test_a_result_says_how_it_came(model):
    result = model.run("?", PERSON, seed=1, max_new_tokens=60, **DRAWN)
    assert json_text.parse(result.text) == result.output
    assert set(result.confidence) == {"", "/name", "/age"} and all(0 <= p <= 1 for p in result.confidence.values())
    assert result.usage.completion_tokens == len(result.text.encode()) + 1  # bytes, and the token that ends the text
    assert (result.attempts, result.steps, result.seed, result.finish_reason) == (1, 1, 1, "stop")


def test_what_a_validator_faults_is_written_anew_and_the_rest_stays(model):
    results = [model.run("?", Even, seed=seed, max_new_tokens=24, **DRAWN) for seed in range(6)]
    assert all(result.output.number % 2 == 0 for result in results)
    faulted = [result for result in results if result.attempts > 1]
    assert faulted
    for result in faulted:
        first, faults = result.solution.refused[0]
        assert int(json_text.parse(first)["number"]) % 2 == 1
        assert faults[0].scope == ("/number",) and "must be even" in faults[0].message


def test_a_validator_that_is_never_content_ends_in_an_error_with_every_text(model):
    with pytest.raises(OutputValidationError, match="3 texts in form") as caught:
        model.generate("?", Never, max_new_tokens=24, attempts=3, **DRAWN)
    error = caught.value
    assert len(error.attempts) == 3 and (error.text, error.errors) == error.attempts[-1]
    for attempt in error.attempts:
        assert json_text.parse(attempt.text).keys() == {"number"}
        assert attempt.errors == (("/number", "never right"),) and str(attempt.errors[0]) == "/number: never right"
    assert str(error).endswith("none passed the validators: /number: never right")


def test_parts_that_are_given_stay(model):
    person = model.generate("?", PERSON, fill={"age": 41}, max_new_tokens=60, **DRAWN)
    assert person["age"] == 41
    with pytest.raises(FillError, match="fill= at /age: must be at most 120, not 400"):
        model.generate("?", PERSON, fill={"age": 400}, max_new_tokens=60)
    with pytest.raises(UsageError, match="only JSON outputs"):
        model.generate("?", Choice(["a"]), fill={"a": 1})


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]
)
def test_parts_can_be_given_where_a_schema_refers_to_itself(model, draft):
    small = {"type": "integer", "minimum": 0, "maximum": 9}
    pair = {
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/n"}, "b": {"$ref": "#/definitions/n"}},
    } | CLOSED
    schema = {"$schema": draft, "$ref": "#/definitions/pair", "definitions": {"n": small, "pair": pair}}
    assert model.generate("?", schema, fill={"b": 7}, max_new_tokens=40, **DRAWN)["b"] == 7
    with pytest.raises(FillError, match="fill= at /b: must be at most 9, not 70"):
        model.generate("?", schema, fill={"b": 70}, max_new_tokens=40)


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema"]
)
@pytest.mark.parametrize("given", ["y", 3, None, [True], {"c": False}])
def test_parts_are_given_in_every_draft_and_where_the_whole_need_not_be_an_object(model, draft, given):
    thing = {"type": "object", "properties": {"a": {}, "b": {"type": "boolean"}}, "required": ["b"]} | CLOSED
    schema = {"$schema": draft, "anyOf": [{"type": "string", "maxLength": 3}, thing]}
    for seed in range(3):
        made = model.generate("?", schema, fill={"a": given}, max_new_tokens=60, seed=seed, **DRAWN)
        assert (made["a"] | given if isinstance(given, dict) else given) == made["a"] and isinstance(made["b"], bool)


class Untouched(RandomDenoiser):
    def denoise(self, tokens, state):
        raise AssertionError("the model ran")


def test_a_budget_that_is_too_small_is_told_before_the_model_runs():
    with pytest.raises(BudgetError) as caught:
        Model(Untouched()).generate("?", PERSON, max_new_tokens=5)
    assert caught.value.max_tokens == 5
    assert caught.value.min_tokens == len('{"name":"","age":0}') + 1


def test_the_time_limit_ends_an_unsettled_text(model):
    with pytest.raises(IncompleteOutputError, match="time limit") as caught:
        model.generate("?", PERSON, max_new_tokens=60, draw=True, time_limit=1e-6)
    assert caught.value.usage["passes"] == 1


def test_a_stream_ends_with_the_result(model):
    generator = model.generator(PERSON, max_new_tokens=60)
    events = list(generator.stream("?", seed=2, **DRAWN))
    kinds = [event.type for event in events]
    assert kinds[-1] == "done" and set(kinds[:-1]) <= {"draft", "commit"}
    assert events[-1].result.text == events[-1].text == generator.run("?", seed=2, **DRAWN).text


def test_a_stream_tells_of_seed_and_attempts_and_fails_as_a_run_does(model):
    for seed in range(6):
        run = model.run("?", Even, max_new_tokens=24, seed=seed, **DRAWN)
        last = list(model.generator(Even, max_new_tokens=24).stream("?", seed=seed, **DRAWN))[-1].result
        assert (last.text, last.seed, last.attempts) == (run.text, seed, run.attempts)
    with pytest.raises(OutputValidationError, match="3 texts in form") as caught:
        list(model.generator(Never, max_new_tokens=24).stream("?", attempts=3, **DRAWN))
    assert len(caught.value.attempts) == 3


def test_a_batch_is_not_one_text(model):
    with pytest.raises(UsageError, match="many prompts"):
        model.generator(Choice(["a"])).batch("Ana")


def test_a_result_is_short_to_look_at(model):
    result = model.run("?", PERSON, max_new_tokens=60, **DRAWN)
    assert len(repr(result)) < 2_000 and "/age" in repr(result.distribution)


def test_it_can_be_awaited(model):
    assert asyncio.run(model.agenerate("?", Choice(["a", "b"]), **DRAWN)) in ("a", "b")


def test_a_denoiser_of_puzzles_writes_no_text():
    with pytest.raises(UsageError, match="writes no text"):
        Model(dgsolve.load("relational")).generate("?", PERSON)


def test_a_model_solves_puzzles_where_its_denoiser_can(model):
    assert dgsolve.solve(dgsolve.Sudoku.parse(".234341221434321"), model).status is dgsolve.Status.FEASIBLE


@pytest.mark.parametrize("tokens", [0, -1, 1.5, True])
def test_a_budget_that_is_no_number_is_refused(model, tokens):
    with pytest.raises(UsageError, match="max_new_tokens"):
        model.generator(PERSON, max_new_tokens=tokens)


def test_prompts_are_told_what_to_answer_with_and_messages_stay_the_callers(model):
    generator = model.generator(PERSON)
    assert generator.problem("Who?").prompt == "Who?\n\nAnswer with JSON only, with the keys name, age."
    messages = [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I?"}]
    told, kept = generator.problem(messages).prompt
    assert told == {"role": "user", "content": "Who?\n\nAnswer with JSON only, with the keys name, age."}
    assert kept is messages[1] and messages[0] == {"role": "user", "content": "Who?"}
    assert generator.problem(messages[1:]).prompt == messages[1:]  # nobody of the user to add it to
    assert model.generator(PERSON, instruct=False).problem(messages).prompt is messages
    assert model.generator(PERSON, instruct=False).problem("Who?").prompt == "Who?"


@pytest.mark.parametrize(
    ("call", "said", "hint"),
    [
        (lambda model: model("?", PERSON), "a model is not called itself", "Write model.generate(prompt, output_type)"),
        (lambda model: model.generate(PERSON, "?"), "the prompt comes first", "Write generate('?', {"),
        (lambda model: model.generate("?"), "the output type is missing", "Write it second"),
        (lambda model: model.run("?", response_model=PERSON), "unknown option 'response_model'", "as output_type"),
        (lambda model: model.generate("?", PERSON, max_tokens=9), "unknown option 'max_tokens'", "max_new_tokens="),
        (lambda model: model.generator(PERSON, temperatur=9), "unknown option 'temperatur'", "Known: max_new_tokens"),
        (lambda model: model.generator(PERSON, seed=9), "seed= cannot be given here", "generator(prompt, seed=...)"),
        (lambda model: model.generator(PERSON)("?", fill={}), "fill= cannot be", "generator(output_type, fill=...)"),
        (lambda model: model.generator(PERSON).batch(["?"], top_p=1), "unknown option 'top_p'", "There is none"),
        (lambda model: next(model.generator(PERSON).stream("?", time_limit=1)), "time_limit= cannot be", "take run"),
        (lambda model: next(model.generator(PERSON).stream("?", atempts=1)), "unknown option 'atempts'", "attempts="),
        (lambda model: model.generator(PERSON).batch(3), "many prompts, not one text: 3", "Put it into a list."),
        (lambda model: model.generator(PERSON, max_retries=2), "'max_retries'", "generator(prompt, attempts=...)"),
        (lambda model: model.generator(PERSON)("?", max_tokens=2), "'max_tokens'", "(output_type, max_new_tokens=...)"),
        (lambda model: next(model.generator(PERSON).stream("?", timeout=1)), "'timeout'", "time_limit= here. A stream"),
        (lambda model: model.generator(PERSON, instruct="no"), "instruct='no': write True or False", ""),
        (lambda model: model.generator(PERSON, lenient="x"), "lenient='x': write True or False", ""),
        (lambda model: model.generator(Regex("a"), lenient=1), "lenient=1: write True or False", ""),
        (lambda model: model.generate("?", PERSON, progress="yes"), "progress='yes': write True or False", ""),
        (lambda model: model.generate("?", PERSON, keep_trace=3), "keep_trace=3: write True or False", ""),
        (lambda model: model.generator(PERSON).batch([], return_exceptions=1), "return_exceptions=1: write", ""),
        (lambda model: model.generate("?", PERSON, seed="x"), "seed='x'", ""),
        (lambda model: model.generate("?", PERSON, seed=True), "seed=True", ""),
        (lambda model: model.generate("?", PERSON, time_limit="5"), "time_limit='5'", ""),
        (lambda model: model.generate(3, PERSON), "a prompt of type int means nothing", "Write text, or messages"),
    ],
)
def test_misuse_is_told_with_the_call_to_write(model, call, said, hint):
    with pytest.raises(UsageError) as caught:
        call(model)
    assert said in str(caught.value) and hint in caught.value.hint


def test_parts_of_text_are_a_prompt_and_sounds_are_not(model):
    part = {"type": "text", "text": "Who?"}
    told = model.generator(PERSON).problem([{"role": "user", "content": [part, part]}]).prompt
    assert told[0]["content"] == "Who?\nWho?\n\nAnswer with JSON only, with the keys name, age."
    with pytest.raises(UsageError, match="'audio'; only text and images can be read"):
        model.generate([{"role": "user", "content": [part, {"type": "audio"}]}], PERSON)


def test_what_is_given_and_faulted_is_told_so(model):
    with pytest.raises(OutputValidationError, match="/number: must be even") as caught:
        model.generate("?", Even, fill={"number": 3}, max_new_tokens=24, attempts=2, **DRAWN)
    assert caught.value.hint.startswith("fill= gives /number, so it stays")
    assert [attempt.errors[0].pointer for attempt in caught.value.attempts] == ["/number", "/number"]
    assert model.generate("?", Even, fill=Even(number=4), max_new_tokens=24, **DRAWN).number == 4


class Low(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def ordered(self) -> "Low":
        raise ValueError("never in order")


def test_the_errors_of_a_model_validator_are_about_the_whole(model):
    with pytest.raises(OutputValidationError, match="the value: never in order") as caught:
        model.generate("?", Low, max_new_tokens=40, attempts=2, **DRAWN)
    assert [attempt.errors for attempt in caught.value.attempts] == [(("", "never in order"),)] * 2


def test_a_text_that_was_faulted_is_drawn_anew(model):
    with pytest.raises(OutputValidationError) as caught:
        model.generate("?", Never, max_new_tokens=24, attempts=8, max_denoising_steps=2)
    texts = [attempt.text for attempt in caught.value.attempts]
    assert len(set(texts)) >= 6  # the random denoiser's mode is the same each time
