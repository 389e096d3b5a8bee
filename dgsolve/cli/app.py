"""The `dgsolve` application: finds the command's file, runs it, and puts every error into words."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from textwrap import indent
from typing import Annotated

import typer

from dgsolve.cli.envelopes import error_envelope
from dgsolve.cli.exits import Exit, of_error
from dgsolve.cli.pipe import say, silence
from dgsolve.errors import DgsolveError, UsageError

COMMANDS = ("sudoku", "grid", "json", "check", "models", "bench", "data", "train", "replay", "env")  # in --help too

OVERVIEW = """Solve problems that have rules by diffusion, and check every answer against the rules.

Examples:

  dgsolve sudoku puzzle.txt

  dgsolve sudoku .2.....24.....3.

  cat many.txt | dgsolve sudoku - > answers.txt

  dgsolve json "Maria is 34, from Lisbon." --schema 'name, age int, city'
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
        from dgsolve.cli.option_words import instead_of  # what runs well need not wait for it

        shown = f"dgsolve {names[0]} --help" if len(names) == 1 else "dgsolve --help"
        instead = instead_of(getattr(error, "option_name", "")) if names == ("json",) else ""
        if names == ("json",) and "unexpected extra argument" in error.format_message():
            instead = "Put the prompt in quotes."
        if instead and hasattr(error, "possibilities"):
            error.possibilities = None  # which only look alike
        return _refuse(error, Exit(error.exit_code), f"{instead} See {shown}.".strip(), arguments)
    except BrokenPipeError:  # whoever read stdout has had enough
        silence(sys.stdout)
        return Exit.SOLVED
    except OSError as error:
        return _refuse_system(error, arguments)
    except (KeyboardInterrupt, typer.Abort):
        return Exit.INTERRUPTED


def _refuse(error: Exception, code: Exit, hint: str, arguments: list[str]) -> int:
    if "--debug" in arguments:
        raise error
    message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
    say(f"dgsolve: {message}", *([indent(hint, "  ")] if hint else []))
    if "--json" in arguments:
        try:
            print(json.dumps(error_envelope(error, hint)), flush=True)
        except OSError:  # stdout itself is what failed
            silence(sys.stdout)
    return code


def _refuse_system(error: OSError, arguments: list[str]) -> int:
    """A full disk, a folder that is none, a right that is missing: no fault of dgsolve."""
    if "--debug" in arguments:
        raise error
    try:
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)
    place = f"{error.filename}: " if error.filename else ""
    hint = "Is the disk full, or a file or folder not yours to use? What was written before is kept."
    refused = UsageError(f"{place}{error.strerror or error}", hint=hint)
    return _refuse(refused, Exit.REFUSED, hint, arguments)


def _show_version(wanted: bool) -> None:
    if wanted:
        from dgsolve import __version__

        print(f"dgsolve {__version__}")
        raise typer.Exit


_Version = Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")]


def _common(version: _Version = False) -> None:
    """Options before the command."""
