"""Compiles what must hold at one place: plain rules by type of value, then combinations on top of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dgsolve.deadline import look
from dgsolve.errors import UnsupportedSchemaError
from dgsolve.language.json_schema import arrays, combinations, objects, scalars, values
from dgsolve.language.json_schema.anything import any_array, any_object, anything
from dgsolve.language.json_schema.assembly import Part, assemble
from dgsolve.language.json_schema.boolean import INTERSECT, combined, united
from dgsolve.language.json_schema.compiled import EMPTY, Graph, Language
from dgsolve.language.json_schema.evaluated import Evaluated
from dgsolve.language.json_schema.extra_keys import ExtraKeys
from dgsolve.language.json_schema.group import Group, Groups, Place
from dgsolve.language.json_schema.limits import Limits
from dgsolve.language.json_schema.node import STRING, Combination
from dgsolve.language.json_schema.once import Once
from dgsolve.language.json_schema.overgrown import OvergrownError
from dgsolve.language.json_schema.reading import TYPES, Reader
from dgsolve.language.json_schema.rules import Rules
from dgsolve.language.size_limit import TooLargeError, at_most

SHALLOW = 3  # levels of open values that there may be anywhere
DEEPEST = 60  # places in each other
SLOW = 2  # after so many groups have come down they come down faster, for each time costs about a second
MERGING = 3  # how many states may become one in the end, at a guess


@dataclass(frozen=True)
class Conjunction:
    """Everything that must hold of one value: places whose own rules count, and combinations still to be resolved."""

    plain: tuple[str, ...] = ()
    combinations: tuple[Combination, ...] = ()


class Builder:
    """Compiles places of one schema; groups whose automata overgrow go down the ladder of limits, and all below."""

    def __init__(self, reader: Reader, groups: Groups, limits: Limits) -> None:
        self.reader, self.groups = reader, groups
        self.limits, self.ladder = limits, limits.ladder()
        self.rungs: dict[Group, int] = {}
        self._depth = 0
        self._made: dict[tuple[Conjunction, Place], Language] = {}
        self._conjunctions: dict[tuple[str, ...], Conjunction] = {}
        self.keys = ExtraKeys()
        self.once = Once()
        self.evaluated = Evaluated(groups)

    def conjunction(self, places: Iterable[str], base: Conjunction | None = None) -> Conjunction:
        """All of these must hold, and all of `base`."""
        wanted = tuple(dict.fromkeys(places))
        if base is not None:
            added = self.conjunction(wanted)
            plain = tuple(sorted({*base.plain, *added.plain}))
            return Conjunction(plain, tuple(dict.fromkeys(base.combinations + added.combinations)))
        if wanted not in self._conjunctions:
            self._conjunctions[wanted] = self._flattened(wanted)
        return self._conjunctions[wanted]

    def types(self, place: str) -> frozenset[str]:
        """The types that are left for a value at a place of the schema, what it combines aside."""
        nodes = [self.reader.node(plain) for plain in self.conjunction((place,)).plain]
        return frozenset(TYPES).intersection(*(node.rules["type"] for node in nodes if "type" in node.rules))

    def _flattened(self, places: tuple[str, ...]) -> Conjunction:
        plain: set[str] = set()
        combined: dict[Combination, None] = {}
        seen = set(places)
        stack = list(reversed(places))
        while stack:
            node = self.reader.node(stack.pop())
            if not node.silent:
                plain.add(node.pointer)
            combined |= dict.fromkeys(node.combinations)
            fresh = [place for place in reversed(node.holds) if place not in seen]
            seen.update(fresh)
            stack += fresh
        return Conjunction(tuple(sorted(plain)), tuple(combined))

    def whole(self, root: Group) -> Language:
        """The language of the root; raises TooLargeError where even the least detail takes too many states."""
        while True:
            place = self.start(root)
            try:
                made = self.language(self.conjunction([""]), place)
                with at_most(self._most(place)):
                    states = len(made.acceptor)
                # Once down, something larger will do, for each time costs about a second.
                wanted = (2 if place.rung else 1.5) * self.limits.aim
                if states > (self.limits.states if self.last(place) else wanted):
                    raise OvergrownError(place, states)
                return made
            except OvergrownError as error:
                self._depth = 0
                if self.last(error.place):
                    raise
                self._fall(error)

    def start(self, root: Group) -> Place:
        """The place of the whole value."""
        return self._place(root, self.limits.recursion, self.limits.any_depth, 0)

    def language(self, wanted: Conjunction, place: Place) -> Language:
        """The texts of the values that fit, with keys in the order of the place's group."""
        if (wanted, place) not in self._made:
            look()
            if self._depth >= DEEPEST:
                raise UnsupportedSchemaError(
                    f"subschemas lie more than {DEEPEST} places deep in each other",
                    pointer=(wanted.plain or ("",))[0],
                    hint="Nest less deeply.",
                )
            self._depth += 1
            self._made[wanted, place] = self._within_limits(wanted, place)
            self._depth -= 1
        return self._made[wanted, place]

    def _within_limits(self, wanted: Conjunction, place: Place) -> Language:
        resolved = bool(wanted.combinations)
        try:
            with at_most(self.limits.combined if resolved else self.limits.states):
                made = combinations.resolve(self, wanted, place) if resolved else self._plain(wanted, place)
            self.refuse_large(made, place)
        except OvergrownError:
            raise
        except TooLargeError as error:
            raise OvergrownError(place, error.states) from error
        return made

    def refuse_large(self, made: Language, place: Place) -> None:
        """Raises TooLargeError where merging equal states will hardly bring it within the limit."""
        if made.size > self._most(place):
            raise TooLargeError(made.size)

    def _most(self, place: Place) -> int:
        """States before equal ones are merged."""
        return MERGING * (self.limits.states if self.last(place) else self.limits.aim)

    def last(self, place: Place) -> bool:
        """Whether there is no less detailed rung."""
        return place.rung + 1 == len(self.ladder)

    def _fall(self, error: OvergrownError) -> None:
        """Less detail from now on in the group of the place and below; forgets what was made of it."""
        group, steps = error.place.group, 1 + (len(self.rungs) >= SLOW)
        self.rungs[group] = min(error.place.rung + steps, len(self.ladder) - 1)
        self._made = {key: made for key, made in self._made.items() if group not in key[1].group.reach}

    def _place(self, group: Group, recursion: int, depth: int, rung: int) -> Place:
        rung = max(rung, self.rungs.get(group, 0))
        limits = self.ladder[rung]
        if not group.open:  # what the schema describes may be nested at will, and a little that is open in all of it
            depth = max(depth, SHALLOW)
        return Place(group, min(recursion, limits.recursion), min(depth, limits.any_depth), rung)

    def below(self, places: Iterable[str], here: Place, group: Group) -> Language:
        """The language of a part of the value at `here`; nothing where the limits end."""
        place = self.down(here, group)
        return EMPTY if place is None else self.language(self.conjunction(places), place)

    def down(self, here: Place, group: Group) -> Place | None:
        """The place of a part of the value at `here`, None where the limits end."""
        recursion = here.recursion - self.groups.leads_back(here.group, group)
        if recursion < 0 or (group.open and here.depth == 0):
            return None
        return self._place(group, recursion, here.depth - 1, here.rung)

    def detail(self, place: Place) -> Limits:
        """The limits on the place's rung."""
        return self.ladder[place.rung]

    def names(self, pointer: str) -> Language:
        """The keys that a propertyNames at `pointer` allows, as texts."""
        return self.language(self.conjunction((pointer, STRING)), Place(self.groups.group(()), 0, 0, 0))

    def assembled(self, parts: Iterable[Part]) -> Language:
        """A graph from node 0 to node 1."""
        return Language(self.once(assemble, tuple(parts), 0, (1,)))

    def _plain(self, wanted: Conjunction, place: Place) -> Language:
        if not wanted.plain and place.group.open:
            return Language(anything(place.depth))
        rules = Rules(tuple(self.reader.node(pointer) for pointer in wanted.plain), place)
        types = rules.types & values.types_of(rules)
        listed = values.listed(rules, types, place.group)
        if listed is not None and values.settles(rules):
            return Language.of(listed)
        parts = united((self._typed(kind, rules, place) for kind in _kinds(types)), self.once)
        if listed is not None:
            both = self.once(combined, INTERSECT, (Graph.of(listed), parts.graph))
            return Language(both, parts.loose | rules.unknown)
        return Language(parts.graph, parts.loose | rules.unknown)

    def _typed(self, kind: str, rules: Rules, place: Place) -> Language:
        if kind == "object":
            plain = place.group.open and not rules.any(objects.KEYWORDS)
            return any_object(place.depth) if plain else objects.language(self, rules, place)
        if kind == "array":
            plain = place.group.open and not rules.any(arrays.KEYWORDS)
            return any_array(place.depth) if plain else arrays.language(self, rules, place)
        return scalars.language(kind, rules, self.detail(place))


def _kinds(types: frozenset[str]) -> list[str]:
    """As in TYPES, with integer and fraction joined to number."""
    joined = types - {"integer", "fraction"} | {"number"} if {"integer", "fraction"} <= types else types
    return [kind for kind in (*TYPES, "number") if kind in joined]
