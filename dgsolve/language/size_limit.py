"""How large an automaton may grow while it is built; a caller sets it for a while: `with at_most(50_000): ...`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dgsolve.deadline import look

LIMIT = 200_000  # states, where nothing else is said

_limit: ContextVar[int] = ContextVar("state limit", default=LIMIT)


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


def limit() -> int:
    return _limit.get()


def refuse_beyond(states: int) -> None:
    """Raises TooLargeError where `states` are too many, and OutOfTime after the deadline around the caller."""
    look()
    if states > _limit.get():
        raise TooLargeError(_limit.get())
