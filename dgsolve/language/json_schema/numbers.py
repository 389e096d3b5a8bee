"""Numbers within bounds and multiples of a number, exactly, as automata over the digits of the canonical decimal.

A number is read digit by digit by several readers at once, one for each thing that is asked of it; the automaton is
their product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import gcd
from typing import Any, Protocol

from dgsolve.errors import UsageError
from dgsolve.language.acceptor import Acceptor, Row, TooLargeError
from dgsolve.language.algebra import Edge, literal, network
from dgsolve.language.json_schema.spelling import exact, spell_number

Number = int | float | Decimal
Bound = tuple[Decimal, bool]  # and whether it is within the bounds itself
State = Any  # a reader's own affair; None where no number that starts like this fits

LIMIT = 5_000  # states of either sign before minimising; what takes more is left to a judge
LONGEST = 100  # digits of a multipleOf, all in all: each digit costs a division of numbers as long as that
ZERO: Bound = (Decimal(0), False)


def number(
    *,
    integer: bool = False,
    minimum: Number | None = None,
    maximum: Number | None = None,
    exclusive_minimum: Number | None = None,
    exclusive_maximum: Number | None = None,
    multiple_of: Number | None = None,
    max_digits: int | None = None,
    max_fraction: int | None = None,
    limit: int = LIMIT,
) -> Acceptor:
    """The canonical decimals (spelling.spell_number) that keep to all that is given; a float is its shortest decimal.

    `max_digits` and `max_fraction` cap the digits before and after the point, but always leave room for what the bounds
    and `multiple_of` are written with. Raises TooLargeError where that takes more than `limit` states, or where
    `multiple_of` has more than 100 digits.

    >>> number(minimum=-1, exclusive_maximum=2.5).accepts(b"2.49")
    True
    """
    low = _tighter(_bound(minimum, True), _bound(exclusive_minimum, False))
    high = _negated(_tighter(_negated(_bound(maximum, True)), _negated(_bound(exclusive_maximum, False))))
    step = None if multiple_of is None else exact(multiple_of)
    if step is not None and step <= 0:
        raise UsageError(f"multipleOf must be above 0, not {multiple_of}")
    if step is not None and sum(map(len, _digits(step))) > LONGEST:
        raise TooLargeError(limit)
    written = [_digits(given) for given in (low and low[0], high and high[0], step) if given is not None]
    whole_cap = None if max_digits is None else max([max_digits, *(len(whole) for whole, _ in written)])
    cap = None if max_fraction is None else max([max_fraction, *(len(fraction) + 1 for _, fraction in written)])
    common: list[Reader] = [_Spelling(integer, whole_cap, cap)]
    if step is not None:
        common.append(_Multiple.of(step, integer))
    edges: list[Edge] = [(0, 1, literal(b"-"))]
    for node, bounds in enumerate((_magnitudes(low, high), _magnitudes(_tighter(ZERO, _negated(high)), _negated(low)))):
        if bounds is not None:
            edges.append((node, 2, _explored(common + bounds, limit)))
    return network(edges, 0, [2])


def decimals(value: Number) -> int:
    """How many digits the canonical decimal has behind the point.

    >>> decimals(0.25), decimals(5)
    (2, 0)
    """
    return len(_digits(exact(value))[1])


class Reader(Protocol):
    """One thing asked of the digits after the sign."""

    @property
    def start(self) -> State: ...

    def digit(self, state: State, digit: int) -> State: ...

    def point(self, state: State) -> State: ...

    def final(self, state: State) -> bool: ...


@dataclass(frozen=True)
class _Spelling:
    """No zero in front, no zero behind, and not more digits than there may be.

    A state is (0, digits before the point, may more follow) or (1, digits after it, may it end here).
    """

    integer: bool
    max_digits: int | None
    max_fraction: int | None
    start = (0, 0, True)

    def digit(self, state: State, digit: int) -> State:
        part, count, flag = state
        cap = self.max_fraction if part else self.max_digits
        if (cap is not None and count >= cap) or (not part and not flag):
            return None
        more = count + 1 if cap is not None else 1
        return (part, more, digit > 0 if part else count > 0 or digit > 0)

    def point(self, state: State) -> State:
        part, count, _ = state
        return None if self.integer or part or not count else (1, 0, False)

    def final(self, state: State) -> bool:
        part, count, flag = state
        return flag if part else count > 0


@dataclass(frozen=True)
class _Comparison:
    """At most (`below`) or at least a bound, whose digits are `whole`, a point, `fraction`.

    A state is (0, digits before the point, order so far), (1, digits after it, 0), equal so far, or FITS; an order is
    -1, 0, 1 for less, equal, more.
    """

    whole: str
    fraction: str
    below: bool
    inclusive: bool
    start = (0, 0, 0)
    FITS = (2, 0, 0)  # whatever follows

    def digit(self, state: State, digit: int) -> State:
        part, read, order = state
        if part == 0 and read < len(self.whole):
            return 0, read + 1, order or _order(digit, self.whole[read])
        if part == 0:
            return self._settled(1)
        if part == 1:
            order = _order(digit, self.fraction[read : read + 1] or "0")
            return self._settled(order) if order else (1, min(read + 1, len(self.fraction)), 0)
        return state

    def point(self, state: State) -> State:
        part, read, order = state
        if part == 0 and (order or read < len(self.whole)):
            return self._settled(-1 if read < len(self.whole) else order)
        return (1, 0, 0) if part == 0 else state

    def final(self, state: State) -> bool:
        ended = self.point(state)
        if ended is None or ended == self.FITS:
            return ended is not None
        return self.below if ended[1] < len(self.fraction) else self.inclusive

    def _settled(self, order: int) -> State:
        return self.FITS if (order < 0) == self.below else None


@dataclass(frozen=True)
class _Multiple:
    """A multiple of modulus / 10**places, which are without a common factor of 10.

    A state is (-1, remainder of the digits before the point) or (digits that may still follow after the point, the
    remainder that these have to have). Remainders that the same digits complete count as one: `same` holds the first
    one seen.
    """

    modulus: int
    places: int
    same: dict[tuple[int | None, ...], int] = field(default_factory=dict, repr=False)
    start = (-1, 0)

    @classmethod
    def of(cls, step: Decimal, integer: bool) -> _Multiple:
        whole, fraction = _digits(step)
        modulus, places = int(whole + fraction), len(fraction)
        return cls(modulus // gcd(modulus, 10**places), 0) if integer else cls(modulus, places)

    def digit(self, state: State, digit: int) -> State:
        left, remainder = state
        if left < 0:
            return left, self._first((10 * remainder + digit) % self.modulus)
        return self._rest(left - 1, remainder - digit * 10 ** (left - 1)) if left else None

    def point(self, state: State) -> State:
        return self._rest(self.places, -state[1] * 10**self.places) if self.places else None

    def final(self, state: State) -> bool:
        left, remainder = state
        return (remainder * 10**self.places if left < 0 else remainder) % self.modulus == 0

    def _rest(self, left: int, remainder: int) -> State:
        """`left` digits make a number below 10**left, and it has to have this remainder."""
        remainder %= self.modulus
        return (left, remainder) if remainder < 10**left else None

    def _first(self, remainder: int) -> int:
        if gcd(self.modulus, 10) == 1:
            return remainder  # then no two remainders are completed by the same digits
        need, power = -remainder * 10**self.places % self.modulus, 10**self.places
        needs = [need if need < power else None]
        while power < self.modulus:
            need, power = need * 10 % self.modulus, power * 10
            needs.append(need if need < power else None)
        return self.same.setdefault(tuple(needs), remainder)


def _explored(readers: Sequence[Reader], limit: int) -> Acceptor:
    """All readers at once."""
    states = [tuple(reader.start for reader in readers)]
    numbers = {states[0]: 0}
    rows: list[Row] = []

    def arc(byte: int, targets: list[State]) -> Row:
        if None in targets:
            return ()
        there = tuple(targets)
        if there not in numbers:
            if len(states) >= limit:
                raise TooLargeError(len(states))
            numbers[there] = len(states)
            states.append(there)
        return ((byte, byte, numbers[there]),)

    for state in states:
        read = list(zip(readers, state, strict=True))
        row = arc(ord("."), [reader.point(part) for reader, part in read])
        for digit in range(10):
            row += arc(ord("0") + digit, [reader.digit(part, digit) for reader, part in read])
        rows.append(row)
    finals = [all(reader.final(part) for reader, part in zip(readers, state, strict=True)) for state in states]
    return Acceptor(tuple(rows), frozenset(number for number, final in enumerate(finals) if final))


def _magnitudes(low: Bound | None, high: Bound | None) -> list[Reader] | None:
    """Readers of the numbers from 0 on that are within the bounds, None where there are none."""
    if high and high[0] < 0:
        return None
    made: list[Reader] = [_Comparison(*_digits(high[0]), True, high[1])] if high else []
    if low and (low[0] > 0 or low == ZERO):
        made.append(_Comparison(*_digits(low[0]), False, low[1]))
    return made


def _tighter(one: Bound | None, other: Bound | None) -> Bound | None:
    """The higher of two lower bounds."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda bound: (bound[0], not bound[1]))


def _bound(value: Number | None, inclusive: bool) -> Bound | None:
    return None if value is None else (exact(value), inclusive)


def _negated(bound: Bound | None) -> Bound | None:
    return bound and (-bound[0], bound[1])


def _digits(value: Decimal) -> tuple[str, str]:
    """Those of its absolute value, before and after the point."""
    whole, _, fraction = spell_number(abs(value)).partition(".")
    return whole, fraction


def _order(digit: int, bound: str) -> int:
    return (digit > int(bound)) - (digit < int(bound))
