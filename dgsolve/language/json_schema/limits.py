"""How much a compilation may take, and how much detail an automaton carries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dgsolve.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """What a compilation may take; what a schema leaves open has no end of its own, so it is bounded here too.

    `any_depth`: arrays and objects in each other where the schema asks for nothing, less inside what it describes.
    `recursion`: times that a reference leads back to a place of the schema it came from. Both, `length` (characters),
    `items` and `properties` (counts) fall back to less in the parts of a schema whose automaton would outgrow `aim`
    states; beyond `states` it is refused. Bounds beyond them are left to the validator. `branches`: so many branches
    of several combinations are multiplied out. `text`: states of one string. `combined`: states of one Boolean
    operation, what it leaves whole not counted. `digits`: before and after the point of a number that the schema
    describes, or as many as its bounds have; None for any. `names`: so many that propertyNames leaves are keys of
    their own, in order and each once at most. `seconds`: of computing time.
    """

    any_depth: int = 4
    recursion: int = 3
    length: int = 256
    items: int = 64
    properties: int = 16
    branches: int = 12
    text: int = 5_000
    digits: int | None = 20
    combined: int = 8_000
    aim: int = 30_000
    states: int = 100_000
    names: int = 64
    seconds: float = 10.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value < 0:
                raise UsageError(f"Limits({name}={value}): a limit is 0 or more")

    def ladder(self) -> tuple[Limits, ...]:
        """These limits, then ever less detail, for parts of a schema that would be too large otherwise."""
        return (
            self,
            *(
                replace(
                    self,
                    any_depth=min(self.any_depth, depth),
                    recursion=min(self.recursion, recursion),
                    length=min(self.length, length),
                    items=min(self.items, items),
                    properties=min(self.properties, items),
                )
                for depth, recursion, length, items in _LESS
            ),
        )


_LESS = ((2, 1, 64, 16), (1, 1, 16, 8), (1, 0, 16, 4), (1, 0, 16, 4))  # on the last one large combinations are judged

USUAL = Limits()
