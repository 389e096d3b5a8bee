"""What `check` says of a type, and tokenizers that it cannot find or read."""

import json
from datetime import date
from decimal import Decimal
from typing import Annotated

import pytest
from pydantic import AfterValidator, AnyUrl, BaseModel, Field, field_serializer, field_validator, model_validator

from dgsolve.checking import check
from dgsolve.errors import UsageError


def test_tokenizers_are_looked_for_on_this_machine_only(tmp_path):
    with pytest.raises(UsageError, match="tokenizer=3: write its name or folder"):
        check(int, 3)
    with pytest.raises(UsageError, match="no tokenizer called 'nope'") as caught:
        check({"type": "integer"}, "nope")
    assert "smollm2" in caught.value.hint
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(UsageError, match="no tokenizer can be read from"):
        check({"type": "integer"}, str(tmp_path))


class Plain(BaseModel):
    name: str = Field(max_length=9)
    price: Decimal
    born: date
    page: AnyUrl

    @field_serializer("price")
    def shown(self, price: Decimal) -> str:
        return str(price)


class Checked(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def begins(cls, name: str) -> str:
        return name


class Holds(BaseModel):
    parts: list[Checked]


class Whole(BaseModel):
    name: str

    @model_validator(mode="after")
    def fits(self) -> "Whole":
        return self


@pytest.mark.parametrize(
    ("output_type", "judges"),
    [
        (Plain, False),
        (Checked, True),
        (Holds, True),
        (Whole, True),
        (Annotated[int, AfterValidator(abs)], True),
        (int, False),
        ({"type": "integer"}, False),
    ],
)
def test_whether_the_own_code_of_a_type_judges_too(output_type, judges):
    report = check(output_type)
    assert report.validators is judges and any("they judge each text" in line for line in report.lines()) is judges
