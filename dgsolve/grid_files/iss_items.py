"""The text of a puzzle of the Interactive Sudoku Solver, cut into constraints and groups of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dgsolve.errors import PuzzleError

GROUPS = ("Or", "And", "Replicate")


@dataclass(frozen=True)
class Item:
    """A constraint with its arguments, and where it stands; of a group also what is inside, up to End."""

    name: str
    arguments: list[str]
    column: int
    inside: list[Item] = field(default_factory=list)


def items(text: str) -> Iterator[Item]:
    """The constraints, one after the other; what is between two dots is one, and white space means nothing."""
    column = text.index(".") + 2 if "." in text else 1
    for part in text.strip().split(".")[1:]:
        name, *arguments = "".join(part.split()).split("~")
        if name or arguments:
            yield Item(name, arguments, column)
        column += len(part) + 1


def nested(text: str) -> list[Item]:
    """The constraints, those of a group inside it; raises PuzzleError where a group has no end, or an end no group."""
    outside: list[Item] = []
    opened: list[Item] = []
    for item in items(text):
        if item.name == "End":
            if not opened:
                raise PuzzleError("End: no group is open", column=item.column)
            opened.pop()
            continue
        (opened[-1].inside if opened else outside).append(item)
        if item.name in GROUPS:
            opened.append(item)
    if opened:
        raise PuzzleError(f"{opened[-1].name}: this has no End", column=opened[-1].column)
    return outside
