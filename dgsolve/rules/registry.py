"""The kinds of rule by name, found by listing this folder: a new kind is one file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

import dgsolve.rules as folder
from dgsolve.rules.base import Rule


@cache
def rule_kinds() -> dict[str, type[Rule]]:
    """Every concrete kind by its name in files, sorted."""
    found: dict[str, type[Rule]] = {}
    for module in iter_modules(folder.__path__, f"{folder.__name__}."):
        for member in vars(import_module(module.name)).values():
            own = isinstance(member, type) and issubclass(member, Rule) and member.__module__ == module.name
            if own and not isabstract(member) and "kind" in vars(member):
                found[member.kind] = member
    return dict(sorted(found.items()))
