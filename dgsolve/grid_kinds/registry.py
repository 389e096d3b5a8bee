"""The kinds of puzzle by name, found by listing this folder: a new kind is one file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

import dgsolve.grid_kinds as folder
from dgsolve.grid_kinds.base import GridKind


@cache
def grid_kinds() -> dict[str, type[GridKind]]:
    """Every kind by its name in files, sorted."""
    found: dict[str, type[GridKind]] = {}
    for module in iter_modules(folder.__path__, f"{folder.__name__}."):
        for member in vars(import_module(module.name)).values():
            own = isinstance(member, type) and issubclass(member, GridKind) and member.__module__ == module.name
            if own and not isabstract(member):
                found[member.kind] = member
    return dict(sorted(found.items()))
