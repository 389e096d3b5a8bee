"""What a problem is: it lays itself out as a canvas, reads a canvas back, and alone judges answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from dgsolve.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from rich.text import Text

    from dgsolve.canvas import Canvas
    from dgsolve.drawing.marks import Mark
    from dgsolve.factor_graph import FactorGraph
    from dgsolve.language.token_spans import TokenSpans
    from dgsolve.language.vocabulary import TextVocabulary


@dataclass(frozen=True)
class Fault:
    """One broken rule: a sentence, the places it names for people, and the slots to re-noise."""

    message: str
    scope: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()


@dataclass(frozen=True)
class Report:
    """The verdict on an answer: valid where nothing is broken."""

    faults: tuple[Fault, ...] = ()

    @property
    def valid(self) -> bool:
        return not self.faults


@dataclass(frozen=True)
class GridLayout:
    """Slots as a grid for people: boxes of box_rows x box_cols, one symbol per value, given slots.

    places: the row and column of each slot, counted from 0, where some places are holes; else slots are in reading
    order. marks: what the rules draw.
    """

    rows: int
    cols: int
    box_rows: int
    box_cols: int
    symbols: tuple[str, ...]
    givens: frozenset[int] = frozenset()
    places: tuple[tuple[int, int], ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def slots(self) -> int:
        """How many cells there are."""
        return len(self.places) or self.rows * self.cols


class Vocabulary(Protocol):
    """What a denoiser writes with."""

    @property
    def size(self) -> int:
        """How many tokens there are."""
        ...

    def tokens(self, symbols: Sequence[str]) -> list[int]:
        """The token of each symbol, all different."""
        ...


class Problem(ABC):
    """A problem with rules. Subclasses are immutable and hashable, and register by name (see `registry`)."""

    name: ClassVar[str]
    any_answer: ClassVar[bool] = True  # one valid answer is as good as another; else a draft must settle first
    prompt: Any = None  # what a language denoiser is asked: a text, or messages; None where the slots say all
    posts: ClassVar[bool] = False  # it puts its rules into a CP-SAT model itself, by `post`
    judged_only: bool = False  # some rule is known to `check` alone, so exact search must ask it
    thinking: Any = None  # the thought that may come before the answer, None for none

    @abstractmethod
    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        """A canvas of one row, the known slots locked.

        With `propagate` the open slots keep only the values that the locked ones leave; without it, every value.
        """

    @abstractmethod
    def decode(self, values: Sequence[int]) -> Any:
        """The answer that the slots' values, Int [L], spell."""

    @abstractmethod
    def check(self, answer: Any) -> Report:
        """Judge an answer by the rules and by what was given; only this may call an answer right."""

    def question(self, *, lines: bool = False) -> Any:
        """What a language denoiser is asked to answer by the slots: `prompt`, or the problem in words; None: nothing.

        lines: a grid is shown, and to be written, row by row.
        """
        return self.prompt

    def given_faults(self) -> Sequence[Fault]:
        """Rules that what is given breaks already; such a problem is MODEL_INVALID before any search."""
        return ()

    @abstractmethod
    def describe(self) -> str:
        """One line for people."""

    def shape(self) -> Hashable:
        """Problems with equal shapes can share a batch."""
        return (type(self), id(self))

    def factor_graph(self) -> FactorGraph | None:
        """The rules as exactly-one groups, None where they are not of that kind."""
        return None

    def given_values(self) -> tuple[frozenset[int], ...] | None:
        """The values each slot may hold by what was given alone (one for a given), None where nobody can list them."""
        return None

    def post(self, model: Any, choices: Sequence[Collection[int]] | None = None) -> list[dict[int, Any]]:
        """Put the rules into a CP-SAT model; only where `posts` is true, else `factor_graph` says them.

        choices: the values that each slot may hold, counted from 0; None: every value. Returns, slot by slot, each
        value with the Boolean that says that the slot holds it.
        """
        raise UsageError(f"{self.describe()} has no rules to post")

    def grid(self) -> GridLayout | None:
        """How to draw the slots as a grid, None where they are no grid."""
        return None

    def pieces(self, values: Sequence[int]) -> Sequence[str] | None:
        """The text of every slot, as far as there is text; None where the slots are no text."""
        return None

    def forced(self, values: Sequence[int]) -> Sequence[bool]:
        """Of every piece of `pieces`, whether nothing else could stand there; empty where that is not known."""
        return ()

    def repaired(self, canvas: Canvas, draft: Sequence[int], tries: int) -> Canvas:
        """The canvas to go on with after `draft`, which was faulted for the `tries`-th time: all of it again."""
        return canvas

    def faulty_slots(self, values: np.ndarray) -> np.ndarray:
        """Bool [B, L]: the slots of each draft, Int [B, L], that a broken rule names."""
        import numpy as np  # a tenth of a second that `dgsolve --help` need not wait

        marks = np.zeros(values.shape, dtype=bool)
        for row, draft in enumerate(values):
            for fault in self.check(self.decode([int(value) for value in draft])).faults:
                marks[row, list(fault.slots) or slice(None)] = True
        return marks


class CellProblem(Problem):
    """A problem whose slots are cells that people name and see."""

    @abstractmethod
    def cell(self, slot: int) -> str:
        """The cell's name, such as r1c1."""

    @abstractmethod
    def given_text(self, slot: int) -> str:
        """What was given of the cell: "r1c1 = 5", or "r1c1 of {1 2}" where some values are left."""

    @abstractmethod
    def grid(self) -> GridLayout:
        """How to draw the cells."""

    @abstractmethod
    def symbols_of(self, answer: Any = None) -> list[str | None]:
        """What every cell holds as it is written, by slot: the givens, or an answer; None where one is open."""

    def picture(self, answer: Any = None, *, width: int = 80) -> Text:
        """The cells as a person sees them in `width` columns, with an answer in the open ones where there is one."""
        from dgsolve.drawing.text import picture

        return picture(self.grid(), self.symbols_of(answer), width)

    def __rich__(self) -> Text:
        return self.picture()

    @abstractmethod
    def line(self, answer: Any = None) -> str:
        """All cells on one line, for programs; `answer` fills the open ones."""

    @abstractmethod
    def answer_field(self, answer: Any) -> Any:
        """The answer as `--json` writes it."""


class TextProblem(Problem):
    """A problem whose answer is a text, perhaps after a thought: values are tokens of `vocabulary`, Int [L]."""

    vocabulary: TextVocabulary
    max_new_tokens: int  # slots in which thought and text must be whole, the token that ends them included

    @property
    @abstractmethod
    def slots(self) -> int:
        """Slots of its canvas."""

    @staticmethod
    def of(problem: Problem) -> TextProblem:
        """`problem` as what it is; raises UsageError for one whose answer is no text."""
        if not isinstance(problem, TextProblem):
            raise UsageError(f"the answer to {problem.describe()} is no text")
        return problem

    @abstractmethod
    def decode(self, values: Sequence[int]) -> str:
        """The text, as far as it is written."""

    @abstractmethod
    def thought(self, values: Sequence[int]) -> str | None:
        """What was thought before the text; None where there is no thought."""

    @abstractmethod
    def written(self, values: Sequence[int]) -> int:
        """How many tokens were written, a thought and the token that ends the text included."""

    @abstractmethod
    def thinking_tokens(self, values: Sequence[int]) -> int:
        """How many of these a thought takes up, its markers included."""

    @abstractmethod
    def start(self, values: Sequence[int]) -> int:
        """The slot at which the text begins."""

    @abstractmethod
    def token_spans(self, values: Sequence[int]) -> TokenSpans:
        """Which slots carry which bytes of the text."""
