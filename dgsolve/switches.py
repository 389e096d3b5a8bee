"""Options that are on or off: any other value would count as on."""

from __future__ import annotations

from dgsolve.errors import UsageError
from dgsolve.shortened import shown


def refuse_unswitched(**switches: object) -> None:
    """UsageError for the first of the options that is neither True nor False.

    >>> refuse_unswitched(draw=True, lenient="no")
    Traceback (most recent call last):
        ...
    dgsolve.errors.UsageError: lenient='no': write True or False
    """
    for name, value in switches.items():
        if not isinstance(value, bool):
            raise UsageError(f"{name}={shown(value)}: write True or False")
