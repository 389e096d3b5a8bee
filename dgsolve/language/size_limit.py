"""How large an automaton may grow while it is built, and for how long; a caller sets both for a while.

`with at_most(50_000): ...` and `with stopped_by(deadline.check): ...`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LIMIT = 200_000  # states, where nothing else is said

_limit: ContextVar[int] = ContextVar("state limit", default=LIMIT)
_clock: ContextVar[Callable[[], None] | None] = ContextVar("clock", default=None)


class TooLargeError(Exception):
    """An automaton grew beyond the limit; `states` is how far it got."""

    def __init__(self, states: int) -> None:
        super().__init__(f"an automaton of more than {states:,} states")
        self.states = states


@contextmanager
def at_most(states: int) -> Iterator[None]:
    """Inside, no automaton under construction may have more states, before or after they are merged."""
    token = _limit.set(states)
    try:
        yield
    finally:
        _limit.reset(token)


@contextmanager
def stopped_by(clock: Callable[[], None]) -> Iterator[None]:
    """Inside, `clock` is called for every state or so of an automaton under construction; it raises when time is up."""
    token = _clock.set(clock)
    try:
        yield
    finally:
        _clock.reset(token)


def limit() -> int:
    return _limit.get()


def refuse_beyond(states: int) -> None:
    """Raises TooLargeError where `states` are too many, and what the clock raises."""
    clock = _clock.get()
    if clock is not None:
        clock()
    if states > _limit.get():
        raise TooLargeError(_limit.get())
