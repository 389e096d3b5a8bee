"""Texts to extract records from, made up from a seed, each with its right answer: contacts, invoices, events, orders.

Every value of an answer stands in its text as it is to be written, so that an answer can be compared field by field.
The layouts of the two splits are disjoint: wording is tuned on "dev" alone, figures are reported on "held-out".
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

SPLITS = ("dev", "held-out")

FIRST = ["Maria", "Jonas", "Aisha", "Pedro", "Ingrid", "Tomas", "Leila", "Viktor", "Chloe", "Samir", "Nora", "Yuki"]
LAST = ["Lopez", "Becker", "Khan", "Silva", "Larsen", "Novak", "Haddad", "Petrov", "Martin", "Rossi", "Tanaka", "Byrne"]
CITIES = ["Lisbon", "Oslo", "Vienna", "Nairobi", "Toronto", "Kyoto", "Lima", "Dublin", "Austin", "Geneva", "Krakow"]
FIRMS = ["Northwind Traders", "Blue Harbor Ltd", "Acme Tools", "Sunrise Bakery", "Pine & Oak", "Delta Print"]
TOPICS = ["Harvest Festival", "Data Workshop", "Spring Concert", "Garden Fair", "Robotics Day", "City Marathon"]
GOODS = ["desk lamp", "notebook", "water bottle", "office chair", "phone case", "coffee grinder", "garden hose"]
HOSTS = ["example.com", "mail.example.org", "post.example.net"]
CURRENCIES = ["EUR", "USD", "GBP"]
MODES = ["online", "on-site", "hybrid"]
DELIVERIES = ["standard", "express", "pickup"]


@dataclass(frozen=True)
class Layout:
    """How a text shows a record: a format string over its fields.

    item, between: a format string for each item of a list, and what stands between two. yes, no: words for booleans.
    """

    text: str
    item: str = ""
    between: str = ", "
    yes: str = "yes"
    no: str = "no"

    def show(self, record: Mapping[str, Any]) -> str:
        """The text of a record."""
        return self.text.format(**{name: self._value(value) for name, value in record.items()})

    def _value(self, value: Any) -> str:
        if isinstance(value, bool):
            return self.yes if value else self.no
        if isinstance(value, list):
            return self.between.join(self.item.format(**item) for item in value)
        return f"{value:.2f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Kind:
    """A kind of record: its JSON Schema, how one is made up, and the layouts of each split."""

    name: str
    schema: dict[str, Any]
    make: Callable[[random.Random], dict[str, Any]]
    layouts: dict[str, tuple[Layout, ...]]


@dataclass(frozen=True)
class Extraction:
    """One task: what the model is asked, the schema of the answer, and the right answer."""

    kind: str
    prompt: str
    schema: dict[str, Any]
    answer: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as every system is to read it: to a bare text dgsolve would add an instruction of its own."""
        return [{"role": "user", "content": self.prompt}]


def make_extractions(count: int, seed: int = 0, split: str = "held-out") -> list[Extraction]:
    """So many tasks, the kinds in turn and the layouts of the split in turn; the same for the same seed."""
    if split not in SPLITS:
        raise SystemExit(f"split {split!r}: write one of {', '.join(SPLITS)}")
    kinds = list(KINDS.values())
    made = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        layouts = kind.layouts[split]
        record = kind.make(random.Random(f"{seed} {number}"))
        text = layouts[number // len(kinds) % len(layouts)].show(record)
        made.append(Extraction(kind.name, _question(kind, text), kind.schema, record))
    return made


def right_fields(found: Any, answer: Mapping[str, Any]) -> int:
    """How many of the answer's fields are right; a list is one field."""
    return sum(same(found[name], value) for name, value in answer.items() if isinstance(found, dict) and name in found)


def same(found: Any, value: Any) -> bool:
    """Numbers equal as numbers, texts after trimming, lists and objects part by part."""
    if isinstance(value, bool) or isinstance(found, bool):
        return found is value
    if isinstance(value, int | float):
        return isinstance(found, int | float) and found == value
    if isinstance(value, str):
        return isinstance(found, str) and found.strip() == value.strip()
    if isinstance(value, list):
        same_length = isinstance(found, list) and len(found) == len(value)
        return same_length and all(same(*pair) for pair in zip(found, value, strict=True))
    return isinstance(found, dict) and found.keys() == value.keys() and right_fields(found, value) == len(value)


def _question(kind: Kind, text: str) -> str:
    keys = ", ".join(kind.schema["properties"])
    task = f"Extract the {kind.name} from the text as JSON with the keys {keys}."
    return f"{task} Each value is a short part of the text, copied exactly.\n\nText:\n{text}"


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _person(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def _date(rng: random.Random) -> str:
    return f"{rng.randint(2024, 2027)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _contact(rng: random.Random) -> dict[str, Any]:
    name = _person(rng)
    first, last = name.lower().split()
    mail = f"{first}.{last}@{rng.choice(HOSTS)}"
    return {
        "name": name,
        "age": rng.randint(19, 84),
        "email": mail,
        "city": rng.choice(CITIES),
        "member": rng.random() < 0.5,
    }


def _invoice(rng: random.Random) -> dict[str, Any]:
    return {
        "invoice_number": f"{rng.choice(['INV', 'R', 'F'])}-{rng.randint(1000, 9999)}",
        "customer": rng.choice(FIRMS),
        "total": rng.randint(1000, 499999) / 100,
        "currency": rng.choice(CURRENCIES),
        "due": _date(rng),
    }


def _event(rng: random.Random) -> dict[str, Any]:
    return {
        "title": rng.choice(TOPICS),
        "city": rng.choice(CITIES),
        "date": _date(rng),
        "seats": rng.randint(12, 900),
        "mode": rng.choice(MODES),
        "free": rng.random() < 0.5,
    }


def _order(rng: random.Random) -> dict[str, Any]:
    products = rng.sample(GOODS, rng.randint(1, 3))
    return {
        "order_number": rng.randint(10000, 99999),
        "customer": _person(rng),
        "items": [{"product": product, "quantity": rng.randint(1, 24)} for product in products],
        "delivery": rng.choice(DELIVERIES),
    }


TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
DAY: dict[str, Any] = {"type": "string", "format": "date"}
FLAG: dict[str, Any] = {"type": "boolean"}
LINES: dict[str, Any] = {"type": "array", "items": _object(product=TEXT, quantity=WHOLE), "minItems": 1}
CONTACT = _object(name=TEXT, age=WHOLE, email=TEXT, city=TEXT, member=FLAG)
INVOICE = _object(invoice_number=TEXT, customer=TEXT, total={"type": "number"}, currency={"enum": CURRENCIES}, due=DAY)
EVENT = _object(title=TEXT, city=TEXT, date=DAY, seats=WHOLE, mode={"enum": MODES}, free=FLAG)
ORDER = _object(order_number=WHOLE, customer=TEXT, items=LINES, delivery={"enum": DELIVERIES})

CONTACTS = {
    "dev": (
        Layout("{name}, {age}, lives in {city}. E-mail: {email}. Member: {member}."),
        Layout("Name: {name}\nAge: {age}\nE-mail: {email}\nCity: {city}\nMember: {member}"),
        Layout("Hi, new sign-up! {name} ({age}) from {city}, {email}. Is a member: {member}.", yes="true", no="false"),
    ),
    "held-out": (
        Layout("Please add {name} to the list. Age {age}, based in {city}, reachable at {email}. Member: {member}."),
        Layout("| name | age | city | email | member |\n| {name} | {age} | {city} | {email} | {member} |"),
        Layout("From: {name} <{email}>\n\nHello, I am {age} years old and live in {city}.\nMember: {member}\n\n{name}"),
        Layout("so I met {name} today, {age}, lives over in {city}... mail is {email} btw. member? {member}!"),
        Layout("CITY {city}\nFULL NAME {name}\nMEMBER {member}\nMAIL {email}\nAGE {age}", yes="true", no="false"),
    ),
}
INVOICES = {
    "dev": (
        Layout("Invoice {invoice_number} for {customer}: {total} {currency}, due on {due}."),
        Layout(
            "Invoice number: {invoice_number}\nCustomer: {customer}\nTotal: {total}\nCurrency: {currency}\nDue: {due}"
        ),
        Layout(
            "Dear {customer},\n\nyour invoice {invoice_number} over {currency} {total} is payable by {due}.\n\nAccounts"
        ),
    ),
    "held-out": (
        Layout("We billed {customer} {total} {currency} under number {invoice_number}; payment is due {due}."),
        Layout("invoice,customer,total,currency,due\n{invoice_number},{customer},{total},{currency},{due}"),
        Layout(
            "Subject: Invoice {invoice_number}\n\nTo: {customer}\nPlease pay {currency} {total} before {due}. Thanks!"
        ),
        Layout("hey, {customer} still owes us {total} {currency}, it's invoice {invoice_number}, due date was {due}"),
        Layout(
            "DUE DATE    {due}\nINVOICE NO  {invoice_number}\nBILL TO     {customer}\nAMOUNT      {currency} {total}"
        ),
    ),
}
EVENTS = {
    "dev": (
        Layout("{title} in {city} on {date}: {seats} seats, {mode}. Free: {free}."),
        Layout("Title: {title}\nCity: {city}\nDate: {date}\nSeats: {seats}\nMode: {mode}\nFree: {free}"),
        Layout("Join us for the {mode} event {title}! Date: {date}. Place: {city}. Seats: {seats}. Free: {free}."),
    ),
    "held-out": (
        Layout("On {date} the {title} comes to {city}. It is {mode}, with {seats} seats. Is it free? {free}."),
        Layout("title | {title}\ndate | {date}\ncity | {city}\nmode | {mode}\nseats | {seats}\nfree | {free}"),
        Layout("Dear all,\n\nthe {title} ({mode}) takes place on {date} in {city}. Seats: {seats}. Free: {free}."),
        Layout("guess what, {title} is happening in {city}, {date}! {mode} btw, {seats} seats, free: {free}"),
        Layout("{date} / {city} / {title} / {mode} / seats {seats} / free {free}", yes="true", no="false"),
    ),
}
ORDERS = {
    "dev": (
        Layout("Order {order_number} by {customer}: {items}. Delivery: {delivery}.", "{quantity} x {product}"),
        Layout(
            "Order number: {order_number}\nCustomer: {customer}\nItems:\n{items}\nDelivery: {delivery}",
            "- {product}: {quantity}",
            "\n",
        ),
        Layout(
            "Hello, {customer} here. For order {order_number} I need {items}, by {delivery} delivery.",
            "{product} ({quantity})",
        ),
    ),
    "held-out": (
        Layout(
            "{customer} ordered {items}. The order number is {order_number}, delivery {delivery}.",
            "{product} x {quantity}",
        ),
        Layout(
            "order {order_number} | {customer} | {delivery}\nproduct | quantity\n{items}",
            "{product} | {quantity}",
            "\n",
        ),
        Layout(
            "Hi team,\n\nplease ship order {order_number}:\n{items}\nas {delivery}.\n\n{customer}",
            "* {quantity} of {product}",
            "\n",
        ),
        Layout(
            "hey it's {customer}, can i get {items}? {delivery} please, order no. {order_number}",
            "{quantity} {product}",
            " and ",
        ),
        Layout(
            "DELIVERY {delivery}\nORDER NO {order_number}\n{items}\nBUYER {customer}",
            "ITEM {product} QTY {quantity}",
            "\n",
        ),
    ),
}

KINDS = {
    kind.name: kind
    for kind in (
        Kind("contact", CONTACT, _contact, CONTACTS),
        Kind("invoice", INVOICE, _invoice, INVOICES),
        Kind("event", EVENT, _event, EVENTS),
        Kind("order", ORDER, _order, ORDERS),
    )
}
