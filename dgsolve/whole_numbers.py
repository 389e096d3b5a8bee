"""What counts as a number that a person or a program gives."""

from __future__ import annotations

from numbers import Real
from operator import index
from typing import Any

MOST_DIGITS = 4300  # of a whole number: Python writes and reads no longer ones


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, of Python or numpy; True and 1.0 are none.

    >>> is_whole(3), is_whole(True), is_whole(3.0)
    (True, False, False)
    """
    if isinstance(value, bool):
        return False
    try:
        index(value)
    except TypeError:
        return False
    return True


def is_number(value: Any) -> bool:
    """Whether it is a real number, of Python or numpy, infinite and nan among them; True is none.

    >>> is_number(0.5), is_number(3), is_number(True), is_number("3")
    (True, True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool)
