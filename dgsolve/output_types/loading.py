"""Output types named on the command line, such as `package.module:Model`."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from dgsolve.errors import UsageError


def load_type(name: str) -> Any:
    """The type that `package.module:Model` names; modules of the current folder are found too.

    What the module prints while it is imported goes to stderr.
    Raises UsageError where there is no such module or name, or where the module fails; what it raised is the cause.

    >>> load_type("fractions:Fraction")
    <class 'fractions.Fraction'>
    """
    module_name, colon, path = name.partition(":")
    if not (colon and module_name and path):
        raise UsageError(f"{name!r} names no type", hint="Write package.module:Model.")
    found: Any = _module(module_name, name)
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            held = getattr(found, "__dict__", {})
            near = ", ".join(sorted(key for key, value in held.items() if isinstance(value, type))[:8])
            raise UsageError(f"{module_name} has no {attribute!r}", hint=f"Its types: {near}." if near else "")
        found = getattr(found, attribute)
    if isinstance(found, type(sys)):
        raise UsageError(f"{name} is a module, not a type", hint=f"Write {module_name}.{path}:Model.")
    return found


def _module(module_name: str, name: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")  # the installed command, unlike python -m, does not look into the current folder
    if not all(part.isidentifier() for part in module_name.split(".")):
        raise UsageError(f"{module_name!r} cannot be a module", hint="Write package.module:Model.")
    try:
        with redirect_stdout(sys.stderr):  # what the module prints is no part of an answer
            return import_module(module_name)
    except ModuleNotFoundError as error:
        # one that the module itself wants is not ours to explain
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise _failed(module_name, error) from error
        hint = f"Is {module_name.replace('.', '/')}.py below the current folder, or installed?"
        raise UsageError(f"there is no module {error.name!r}, which {name!r} names", hint=hint) from error
    except (Exception, SystemExit) as error:  # it is a program of the user's, and may raise or end anything
        raise _failed(module_name, error) from error


def _failed(module_name: str, error: BaseException) -> UsageError:
    said = f"{type(error).__name__}: {error!s:.200}"
    return UsageError(f"the module {module_name!r} fails when it is imported: {said}", hint="Try to import it alone.")
