"""What is said to a person, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from textwrap import indent

from rich.console import Console
from rich.text import Text

from dgsolve.cli.pipe import silence
from dgsolve.ui.terminal import can_redraw


@dataclass(frozen=True)
class Talk:
    """Notes, details and errors on stderr; stdout is for results alone."""

    quiet: bool = False
    verbose: bool = False
    console: Console = field(default_factory=lambda: Console(file=sys.stderr, highlight=False))

    @property
    def watched(self) -> bool:
        """Whether a person sees what is said."""
        return self.console.is_terminal and not self.quiet

    @contextmanager
    def busy(self, text: str) -> Iterator[Callable[[str], None]]:
        """A spinner where a person watches; what it yields changes the words beside it."""
        if not can_redraw(self.console, quiet=self.quiet):
            yield lambda _: None
            return
        with self.console.status(f"{text} ...") as status:
            yield lambda now: status.update(f"{now} ...")

    def note(self, text: str) -> None:
        """What a person wants to know of every run; silent under --quiet."""
        if not self.quiet:
            self._print(Text(text))

    def detail(self, text: str) -> None:
        """What only --verbose tells."""
        if self.verbose and not self.quiet:
            self._print(Text(text, style="dim"))

    def steps_saved(self, file: Path) -> None:
        """Where the trace of a run is, and how to see it."""
        self.note(f"Wrote the steps to {file}; play them with: dgsolve replay {quote(str(file))}")

    def error(self, text: str, hint: str = "") -> None:
        """What went wrong and the next step; never silent."""
        self._print(Text(text, style="red"))
        if hint:
            self._print(Text(indent(hint, "  ")))

    def _print(self, text: Text) -> None:
        try:
            self.console.print(text, soft_wrap=not self.console.is_terminal)  # a person's lines end between words
        except OSError:  # stderr takes no more; the results still count
            silence(self.console.file)
