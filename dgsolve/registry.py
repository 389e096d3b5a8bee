"""Problems and denoisers by name: built-ins and other packages' entry points come in by the same door."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from dgsolve.errors import ModelUnavailableError, UsageError

PROBLEMS = "dgsolve.problems"
DENOISERS = "dgsolve.denoisers"


def names(group: str) -> list[str]:
    """The registered names of a group (`PROBLEMS` or `DENOISERS`), sorted."""
    return sorted({entry.name for entry in entry_points(group=group)})


def find(group: str, name: str) -> Any:
    """The class registered under `name`; raises UsageError with the known names."""
    for entry in entry_points(group=group):
        if entry.name == name:
            try:
                return entry.load()
            except ImportError as error:
                message = f"{name!r} cannot be loaded: {error}"
                raise ModelUnavailableError(message, hint="Install what it needs.") from error
    kind = group.rsplit(".", 1)[1].rstrip("s")
    known = ", ".join(names(group)) or "none: install dgsolve with pip so that its entry points are known"
    raise UsageError(f"there is no {kind} called {name!r}", hint=f"Known: {known}.")
