"""The command line: one command a file; `main` is the one place where errors become words and exit codes."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # nothing that takes time is imported before `main` sees to Ctrl-C
if TYPE_CHECKING:
    from types import TracebackType
    from typing import NoReturn


def main(arguments: list[str] | None = None) -> None:
    """Run `dgsolve` with `arguments` (default: the process's own) and exit with the code of `cli.exits`."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if "--debug" not in arguments:
        sys.excepthook = _explain_fault
    try:
        import signal

        from dgsolve.cli.app import run
        from dgsolve.cli.pipe import make_ready

        make_ready()
        code = run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is done: Ctrl-C while Python ends needs no traceback
    except KeyboardInterrupt:
        code = 130  # as `exits.Exit.INTERRUPTED`; Ctrl-C may come before that is imported
    if code == 130:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """End now: Python would wait for a search in another thread to hear of it, and then unload torch for a second.

    It would also end by the signal, not with the code, where Ctrl-C came amid code that some import has built.
    """
    import os
    from contextlib import suppress

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or nobody reads it any more
            stream.flush()
    os._exit(code)


def _explain_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of dgsolve itself, in one line instead of a traceback."""
    print(f"dgsolve failed: {kind.__name__}: {error}", file=sys.stderr)
    print("  This is a fault in dgsolve. Run the same command with --debug for the details.", file=sys.stderr)
