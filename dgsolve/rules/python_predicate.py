"""A rule that a Python function judges, and nothing else knows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError, first_line
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.parameters import Words as Text
from dgsolve.rules.parameters import parameter
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class PythonPredicate(Rule):
    """`function` ("module:name") takes the tuple of the cells' values and says whether they are right.

    A text that it returns is the sentence of the fault; an empty one, True or None says that nothing is wrong. No time
    limit ends the function while it runs; Ctrl-C does.

    grid.python(grid.row(0), "my_rules:rising")
    """

    kind: ClassVar[str] = "python"
    judged_only: ClassVar[bool] = True

    function: str = parameter(Text(), "module:name of a function of the cells' values")

    def refuse(self) -> None:
        module, _, name = self.function.partition(":")
        if not module or not name:
            raise UsageError(f"python: {self.function!r} is not module:function")

    @cached_property
    def _judge(self) -> Any:
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)

    def describe(self, words: Words) -> str:
        return f"{self.function} accepts {self.listed_cells(words)}"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        verdict = self._verdict(tuple(map(words.native, numbers)))
        if isinstance(verdict, str):
            return verdict
        if verdict is None or verdict is True:
            return ""
        if verdict is False:
            return f"{self.function} refuses {self.listed_cells(words)} = {' '.join(map(words.value, numbers))}"
        raise UsageError(
            f"python: {self.function} must return True or False, None or a text, not {shown(verdict)}",
            hint="Return bool(...) of it.",
        )

    def _verdict(self, held: tuple[int | str, ...]) -> Any:
        """What the function returns, a Boolean of numpy as Python's own; what it prints is no result of ours."""
        import numpy as np

        try:
            with redirect_stdout(sys.stderr):
                judge = self._judge
                verdict = judge(held)
        except (Exception, SystemExit) as error:
            loaded = "_judge" in self.__dict__
            message = f"python: {self.function} {'failed' if loaded else 'cannot be loaded'}: {_told(error)}"
            raise UsageError(message, hint="" if loaded else "Is its folder on PYTHONPATH?") from error
        return bool(verdict) if isinstance(verdict, np.bool_) else verdict

    def propagate(self, domains: Domains) -> Domains | None:
        return domains

    def post(self, model: Any, cells: PostedCells) -> None:
        """Nothing: a search asks the judge about each answer."""


def _told(error: BaseException) -> str:
    """Its own words, after its kind: some, such as a SystemExit, have hardly any."""
    return f"{type(error).__name__}: {first_line(error)}"
