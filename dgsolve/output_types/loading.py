"""Output types named on the command line, such as `package.module:Model`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from dgsolve.errors import UsageError


def load_type(name: str) -> Any:
    """The type that `package.module:Model` names; modules of the current folder are found too.

    Raises UsageError where there is no such module or name; what the module itself raises stays as it is.

    >>> load_type("fractions:Fraction")
    <class 'fractions.Fraction'>
    """
    module_name, colon, path = name.partition(":")
    if not (colon and module_name and path):
        raise UsageError(f"{name!r} names no type", hint="Write package.module:Model.")
    found: Any = _module(module_name, name)
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            near = ", ".join(sorted(key for key, value in vars(found).items() if isinstance(value, type))[:8])
            raise UsageError(f"{module_name} has no {attribute!r}", hint=f"Its types: {near}." if near else "")
        found = getattr(found, attribute)
    if isinstance(found, type(sys)):
        raise UsageError(f"{name} is a module, not a type", hint=f"Write {module_name}.{path}:Model.")
    return found


def _module(module_name: str, name: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")  # the installed command, unlike python -m, does not look into the current folder
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        # one that the module itself wants is not ours to explain
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise
        hint = f"Is {module_name.replace('.', '/')}.py below the current folder, or installed?"
        raise UsageError(f"there is no module {error.name!r}, which {name!r} names", hint=hint) from error
    except (TypeError, ValueError) as error:
        raise UsageError(f"{module_name!r} cannot be a module", hint="Write package.module:Model.") from error
