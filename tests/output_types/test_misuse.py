"""What is no output type is told in a few words, however large it is."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from dgsolve.errors import SchemaError, UsageError
from dgsolve.output_types import Choice, OutputType, Regex
from dgsolve.output_types.misuse import refuse_swapped


class Person(BaseModel):
    name: str


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError("odd")


@pytest.mark.parametrize(
    "make",
    [lambda: 10**5000, lambda: "x" * 10**6, lambda: [1] * 10**6, lambda: ["a" * 1000] * 1000, Shy, lambda: [Shy()]],
)
def test_misuse_is_told_in_a_few_words(make):
    given = make()
    with pytest.raises(SchemaError, match="is no output type") as caught:
        OutputType.of(given)
    assert len(str(caught.value)) < 300 and len(caught.value.hint) < 300


SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
WRAPPED = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


@pytest.mark.parametrize(
    ("given", "said", "hint"),
    [
        (json.dumps(SCHEMA), "is no output type", 'A schema is a dict: write json.loads(\'{"type": "object"'),
        (b'{"type": "object"}', "is no output type", "A schema is a dict: write json.loads(b'{"),
        ("person.json", "is no output type", "json.loads(pathlib.Path('person.json').read_text())"),
        ("app.models:Person", "is no output type", "Write the class: from app.models import Person, then Person."),
        ("name, age int", "is no output type", "Write dgsolve.short_schema.short_schema('name, age int')."),
        ("Maria is 34, from Lisbon.", "is no output type", "Write a type such as int; dgsolve.Regex(...)"),
        (["yes", "no"], "a list of values", "Write dgsolve.Choice(['yes', 'no'])."),
        (("yes", "no"), "a tuple of values", "Write dgsolve.Choice(['yes', 'no'])."),
        ({"name": str, "age": int}, "none holds Python types", "TypedDict('Output', {'name': str, 'age': int})."),
        ({"tags": list[str]}, "none holds Python types", "TypedDict('Output', {'tags': list"),
        (WRAPPED, "none has the type 'json_schema'", 'Write the schema inside of it: given["json_schema"]["schema"].'),
        ({"type": "function", "function": {}}, "none has the type 'function'", '["function"]["parameters"]'),
        ({"type": "json_object"}, "none has the type 'json_object'", 'Write {"type": "object"}'),
        ((int, str), "a tuple of values", "Write tuple[int, str]."),
        ((int, list[str], None), "a tuple of values", "Write tuple[int, list[str], None]."),
        ([int, str], "a list of values", "Write list[int | str]."),
        ({str, int}, "a set of values", "Write set[int | str]."),
        ([Person], "a list of values", "Write list[Person]."),
        (Path("x.json"), "is no output type", "write json.loads(pathlib.Path('x.json').read_text())."),
        (Choice, "Choice alone says nothing", "Write dgsolve.Choice(['yes', 'no'])."),
        (Regex, "Regex alone says nothing", "Write dgsolve.Regex(r'"),
        (Person(name="x"), "an instance of Person", "Write the class itself: Person."),
    ],
    ids=str,
)
def test_what_people_type_is_told_with_the_call_to_write(given, said, hint):
    with pytest.raises(SchemaError) as caught:
        OutputType.of(given)
    assert said in str(caught.value) and hint in caught.value.hint


@pytest.mark.parametrize(
    ("prompt", "output_type", "hint"),
    [
        (Person, "Maria is 34.", "Write generate('Maria is 34.', Person)."),
        (list[int], "x", "Write generate('x', list)."),
        (SCHEMA, "x", "Write generate('x', {'type': 'object'"),
        (Choice(["a"]), [{"role": "user", "content": "x"}], "Choice(options=('a',)))."),
    ],
)
def test_a_prompt_and_an_output_type_in_each_others_place_are_told_so(prompt, output_type, hint):
    with pytest.raises(UsageError, match="the prompt comes first, then the output type") as caught:
        refuse_swapped(prompt, output_type)
    assert hint in caught.value.hint
    refuse_swapped("x", Person)
    refuse_swapped([{"role": "user", "content": "x"}], SCHEMA)
