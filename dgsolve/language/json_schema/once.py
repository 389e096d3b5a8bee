"""Work of one compilation that is done once: going down the ladder of limits repeats most of what was done before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dgsolve.language.size_limit import TooLargeError, limit

T = TypeVar("T")


class Once:
    """Does work, or gives what it gave for the same arguments under the same limit of states: TooLargeError, too."""

    def __init__(self) -> None:
        self._done: dict[tuple[Any, ...], Any] = {}

    def __call__(self, work: Callable[..., T], *arguments: Any) -> T:
        key = (work, limit(), arguments)
        if key not in self._done:
            try:
                self._done[key] = work(*arguments)
            except TooLargeError as error:
                self._done[key] = TooLargeError(error.states)  # without the frames, which hold much memory
        made = self._done[key]
        if isinstance(made, TooLargeError):
            raise TooLargeError(made.states)
        return made
