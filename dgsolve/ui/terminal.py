"""Whether a console is a place where lines can be drawn over and over."""

from __future__ import annotations

import os

from rich.console import Console


def can_redraw(console: Console, *, quiet: bool = False) -> bool:
    """True on a real terminal, unless it is quiet, dumb, or watched by a build server (CI).

    FORCE_COLOR makes a console colourful where it is no terminal, but never redrawn.
    """
    on_build_server = os.environ.get("CI", "").lower() not in ("", "0", "false")
    return not quiet and not on_build_server and console.file.isatty() and not console.is_dumb_terminal
