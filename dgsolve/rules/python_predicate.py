"""A rule that a Python function judges, and nothing else knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import UsageError, first_line
from dgsolve.rules.base import Domains, Rule, Words
from dgsolve.rules.parameters import Words as Text
from dgsolve.rules.parameters import parameter

if TYPE_CHECKING:
    from dgsolve.rules.posting import PostedCells


@dataclass(frozen=True)
class PythonPredicate(Rule):
    """`function` ("module:name") takes the tuple of the cells' values and says whether they are right.

    A text that it returns is the sentence of the fault; an empty one, True or None says that nothing is wrong.

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
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            message = f"python: {self.function} cannot be loaded: {first_line(error)}"
            raise UsageError(message, hint="Is its folder on PYTHONPATH?") from error

    def describe(self, words: Words) -> str:
        return f"{self.function} accepts {self.listed_cells(words)}"

    def broken(self, numbers: Sequence[int], words: Words) -> str:
        try:
            verdict = self._judge(tuple(map(words.native, numbers)))
        except Exception as error:
            raise UsageError(f"python: {self.function} failed: {first_line(error)}") from error
        if verdict is None or verdict is True or verdict == "":
            return ""
        if isinstance(verdict, str):
            return verdict
        return f"{self.function} refuses {self.listed_cells(words)} = {' '.join(map(words.value, numbers))}"

    def propagate(self, domains: Domains) -> Domains | None:
        return domains

    def post(self, model: Any, cells: PostedCells) -> None:
        """Nothing: a search asks the judge about each answer."""
