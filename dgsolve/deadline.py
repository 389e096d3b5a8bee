"""A deadline around long work: whoever waits sets it, and the work looks at it between its parts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class OutOfTime(Exception):
    """The deadline around the work is over; whoever set it says what that means."""


@dataclass
class Deadline:
    """moment: seconds of the clock; another thread may `end` it at once.

    The clock is time.monotonic for whoever waits; time.thread_time counts computing only, however busy the machine.
    """

    moment: float = math.inf
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> Deadline:
        """So many seconds from now; None: never."""
        return cls(math.inf if seconds is None else clock() + seconds, clock)

    @property
    def left(self) -> float:
        """Seconds until then, 0 when it is over."""
        return max(self.moment - self.clock(), 0.0)

    def end(self) -> None:
        """Make it over now."""
        self.moment = -math.inf


_around: ContextVar[Deadline] = ContextVar("deadline")


@contextmanager
def within(deadline: Deadline) -> Iterator[None]:
    """Work in this block, called functions included, ends with OutOfTime at its next `look` after the deadline."""
    before = _around.set(deadline)
    try:
        yield
    finally:
        _around.reset(before)


def look() -> None:
    """Raise OutOfTime where the deadline around the caller is over; a part of work between two looks is short."""
    deadline = _around.get(None)
    if deadline is not None and deadline.clock() > deadline.moment:
        raise OutOfTime
