"""The `dgsolve` application: finds the command's file, runs it, and puts every error into words."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from dgsolve.cli.exits import Exit, of_error
from dgsolve.errors import DgsolveError

COMMANDS = ("sudoku", "bench", "train", "replay", "env")  # each in the module of its name, in the order of --help

OVERVIEW = """Solve problems that have rules by diffusion, and check every answer against the rules.

Examples:

  dgsolve sudoku puzzle.txt

  dgsolve sudoku .2.....24.....3.

  cat many.txt | dgsolve sudoku - > answers.txt
"""


def build(names: tuple[str, ...] = COMMANDS) -> typer.Typer:
    """The application with the commands `names`: functions, or Typers of sub-commands, named as their files."""
    app = typer.Typer(help=OVERVIEW, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(_common)
    for name in names:
        if find_spec(f"dgsolve.cli.{name}") is None:
            continue
        command = getattr(import_module(f"dgsolve.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, no_args_is_help=False)(command)
    return app


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    arguments = arguments or ["--help"]
    names = (arguments[0],) if arguments and arguments[0] in COMMANDS else COMMANDS
    command = typer.main.get_command(build(names))
    try:
        code = command(args=arguments, prog_name="dgsolve", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except DgsolveError as error:
        return _refuse(error, of_error(error), error.hint, arguments)
    except typer.TyperException as error:
        shown = f"dgsolve {names[0]} --help" if len(names) == 1 else "dgsolve --help"
        return _refuse(error, Exit(error.exit_code), f"See {shown}.", arguments)
    except (KeyboardInterrupt, typer.Abort):
        return Exit.INTERRUPTED


def error_envelope(error: Exception, hint: str = "") -> dict[str, Any]:
    """The `--json` form of an error."""
    fields: dict[str, Any] = {"type": type(error).__name__, "message": getattr(error, "message", None) or str(error)}
    fields["hint"] = hint or getattr(error, "hint", "")
    fields |= {name: getattr(error, name) for name in ("file", "line", "column") if hasattr(error, name)}
    return {"error": fields}


def _refuse(error: Exception, code: Exit, hint: str, arguments: list[str]) -> int:
    if "--debug" in arguments:
        raise error
    message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
    print(f"dgsolve: {message}", file=sys.stderr)
    if hint:
        print(f"  {hint}", file=sys.stderr)
    if "--json" in arguments:
        print(json.dumps(error_envelope(error, hint), ensure_ascii=False), flush=True)
    return code


def _show_version(wanted: bool) -> None:
    if wanted:
        from dgsolve import __version__

        print(f"dgsolve {__version__}")
        raise typer.Exit


_Version = Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")]


def _common(version: _Version = False) -> None:
    """Options before the command."""
