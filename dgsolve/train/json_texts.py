"""Sentences and the records they tell, as JSON: made-up names, numbers and dates in a few layouts.

The last layout of each kind is kept for testing. The prompts that figures are reported on are others altogether.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from dgsolve.train.text_pairs import TextPair

PROMPT = "Write this {kind} as JSON with {keys}.\n{text}"
Maker = Callable[[random.Random], Any]


def _word(draw: random.Random) -> str:
    syllables = (draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(draw.randint(2, 3)))
    return ("".join(syllables) + draw.choice(("", "", "n", "r", "s"))).capitalize()


def _name(draw: random.Random) -> str:
    return f"{_word(draw)} {_word(draw)}"


def _date(draw: random.Random) -> str:
    return f"{draw.randint(2000, 2035)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"


def _price(draw: random.Random) -> float:
    return draw.randint(101, 99_999) / 100


KINDS: dict[str, tuple[dict[str, Maker], tuple[str, ...]]] = {
    "person": (
        {"name": _name, "age": lambda draw: draw.randint(1, 99), "city": _word},
        (
            "{name} is {age} and lives in {city}.",
            "{name}, {age}, from {city}.",
            "In {city} lives {name}, who is {age} years old.",
            "Name: {name}. City: {city}. Age: {age}.",
        ),
    ),
    "order": (
        {"item": _word, "quantity": lambda draw: draw.randint(1, 500), "price": _price},
        (
            "{quantity} of {item} at {price} each.",
            "{item}: {quantity} at {price}.",
            "Please send {item}, {quantity} of them; the price is {price}.",
            "Price {price}, item {item}, quantity {quantity}.",
        ),
    ),
    "event": (
        {"title": _name, "date": _date, "online": lambda draw: draw.random() < 0.5},
        (
            "{title} is on {date}. Online: {online}.",
            "On {date}: {title}. Is it online? {online}.",
            "Online {online}; the event is called {title}, its date is {date}.",
            "Event {title}, online {online}, {date}.",
        ),
    ),
}


def json_pairs(count: int, *, seed: int, test: bool) -> Iterator[TextPair]:
    """So many pairs, the kinds in turn, in the layouts kept for testing (`test`) or in the others."""
    draw = random.Random(f"{seed} {test}")
    kinds = list(KINDS.items())
    for number in range(count):
        kind, (makers, layouts) = kinds[number % len(kinds)]
        record = {key: make(draw) for key, make in makers.items()}
        layout = layouts[-1] if test else draw.choice(layouts[:-1])
        text = layout.format(**{key: _spoken(value) for key, value in record.items()})
        yield TextPair(PROMPT.format(kind=kind, keys=", ".join(record), text=text), json.dumps(record))


def _spoken(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
