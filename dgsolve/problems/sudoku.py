"""Sudoku of any size with boxes of R rows and C columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from dgsolve.errors import UsageError
from dgsolve.factor_graph import FactorGraph
from dgsolve.plural import counted
from dgsolve.problem import CellProblem, Fault, GridLayout, Report, Vocabulary
from dgsolve.problems import sudoku_rules, sudoku_writing
from dgsolve.problems.sudoku_symbols import cell_name, digits_first, expand_symbols, read_box, usual_box
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from dgsolve.canvas import Canvas


class Source(NamedTuple):
    """Where a puzzle was read; the line counts from 1."""

    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Sudoku(CellProblem):
    """n x n cells, n = box_rows * box_cols from 4 to 25; every row, column and box holds each of n values once.

    givens: n * n values from 1, row by row, 0 for an open cell. symbols: how the values 1..n are written. pencilmarks:
    the values each cell may hold, where the file restricts them. Left out, boxes and symbols are the usual ones.

        Sudoku.parse("1.3. ..2. .1.. 4...").candidates()[1]     # frozenset({2, 4})
    """

    name: ClassVar[str] = "sudoku"

    givens: tuple[int, ...]
    box_rows: int = 0
    box_cols: int = 0
    symbols: tuple[str, ...] = ()
    pencilmarks: tuple[frozenset[int], ...] | None = None
    source: Source = field(default=Source(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "givens", _whole_numbers(self.givens, "givens"))
        if self.pencilmarks is not None:
            object.__setattr__(self, "pencilmarks", _sets_of_numbers(self.pencilmarks))
        count = len(self.givens)
        size = isqrt(count)
        if size * size != count:
            raise UsageError(
                f"givens has {count} cells, which is not a square", hint="Give n * n values, 0 for an open cell."
            )
        box = read_box((self.box_rows, self.box_cols) if self.box_rows or self.box_cols else None) or usual_box(size)
        usual = not self.symbols or self.symbols == digits_first(size)
        symbols = digits_first(size) if usual else expand_symbols(self.symbols)
        for name, value in (("box_rows", box[0]), ("box_cols", box[1]), ("symbols", symbols)):
            object.__setattr__(self, name, value)
        self._refuse_misfits(size)

    def _refuse_misfits(self, size: int) -> None:
        if self.box_rows * self.box_cols != size:
            raise UsageError(f"boxes of {self.box_rows}x{self.box_cols} do not fit a {size}x{size} grid")
        if len(self.symbols) != size:
            raise UsageError(f"a {size}x{size} grid needs {size} symbols, got {len(self.symbols)}")
        if min(self.givens) < 0 or max(self.givens) > size:
            raise UsageError(
                f"givens must be 1 to {size}, or 0 for an open cell; got {min(self.givens)} to {max(self.givens)}"
            )
        if self.pencilmarks is not None and len(self.pencilmarks) != size * size:
            raise UsageError(f"pencilmarks has {len(self.pencilmarks)} cells, the grid has {size * size}")
        if self.pencilmarks is not None and not frozenset().union(*self.pencilmarks) <= set(range(1, size + 1)):
            raise UsageError(f"pencilmarks must be values from 1 to {size}")

    @classmethod
    def parse(cls, text: str, *, box: str | None = None, symbols: str | Sequence[str] | None = None) -> Sudoku:
        """The one puzzle in a text of any format that files may have; raises PuzzleError."""
        from dgsolve.puzzle_files import parse_puzzles, single_puzzle

        return single_puzzle(parse_puzzles(text, box=box, symbols=symbols), "the text")

    @classmethod
    def read(cls, path: Any, *, box: str | None = None, symbols: str | Sequence[str] | None = None) -> Sudoku:
        """The one puzzle in a file, "-" for standard input; raises PuzzleError, also where the file holds several."""
        from dgsolve.puzzle_files import read_puzzles, single_puzzle

        return single_puzzle(read_puzzles(path, box=box, symbols=symbols), str(path))

    @classmethod
    def from_rows(cls, rows: Any, *, box: str | None = None, symbols: str | Sequence[str] | None = None) -> Sudoku:
        """From lists of rows or an array; 0, None, -1, NaN and "." are open cells; raises PuzzleError."""
        from dgsolve.puzzle_files import puzzle_from_rows

        return puzzle_from_rows(rows, box=box, symbols=symbols)

    @property
    def size(self) -> int:
        """n, the number of values, rows, columns and boxes."""
        return self.box_rows * self.box_cols

    def houses(self) -> tuple[tuple[int, ...], ...]:
        """The slots of every row, then every column, then every box."""
        return sudoku_rules.houses(self.box_rows, self.box_cols)

    def candidates(self) -> tuple[frozenset[int], ...]:
        """The values that the givens (and pencil marks) leave each cell; a given cell has its own."""
        return tuple(frozenset((np.flatnonzero(row) + 1).tolist()) for row in self._propagated())

    def given_faults(self) -> list[Fault]:
        """Givens that break a rule among themselves, each fault naming the cells."""
        return sudoku_rules.repeats(self, self.givens)

    def check(self, answer: Any) -> Report:
        """Judge n * n values (a flat or nested sequence of ints, or text in this puzzle's symbols)."""
        return Report(tuple(sudoku_rules.faults(self, sudoku_writing.read_answer(self, answer))))

    def filled(self, answer: Any) -> Sudoku:
        """The grid with an answer (as `check` takes it) in every cell, to print or write; raises UsageError."""
        cells = sudoku_writing.read_answer(self, answer)
        values = tuple(value for value in cells if value is not None and 0 < value <= self.size)
        if not len(values) == len(cells) == len(self.givens):
            raise UsageError(
                f"{shown(answer)} does not fill a {self.size}x{self.size} grid",
                hint="Give the answer of a Solution that is FEASIBLE, or n * n values.",
            )
        return replace(self, givens=values, pencilmarks=None)

    def faulty_slots(self, values: np.ndarray) -> np.ndarray:
        return sudoku_rules.faulty_slots(self, values)

    def decode(self, values: Sequence[int]) -> tuple[int, ...]:
        """Slot values counted from 0 -> the answer's values, counted from 1."""
        return tuple(int(value) + 1 for value in values)

    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        import torch

        from dgsolve.canvas import Canvas
        from dgsolve.constraints.slot_domains import SlotDomains

        names = np.array(vocabulary.tokens(self.symbols), dtype=np.int64)
        givens = np.array(self.givens)
        allowed = np.zeros((1, len(givens), vocabulary.size), dtype=bool)
        allowed[0][:, names] = self._propagated() if propagate else self.permitted
        tokens, locked = (torch.from_numpy(row[None]) for row in (names[np.maximum(givens - 1, 0)], givens > 0))
        peers = torch.from_numpy(sudoku_rules.peers(self.box_rows, self.box_cols)) if propagate else None
        return Canvas(tokens, locked, SlotDomains(torch.from_numpy(allowed), peers))

    @cached_property
    def permitted(self) -> np.ndarray:
        """Bool [L, n]: what each cell may hold by its given or its pencil marks alone."""
        held = self._held()
        marked = np.ones_like(held)
        if self.pencilmarks is not None:
            marked = np.array([[value in marks for value in range(1, self.size + 1)] for marks in self.pencilmarks])
        return np.where(held.any(1, keepdims=True), held, marked)

    def _propagated(self) -> np.ndarray:
        """Bool [L, n]: what is permitted and held by no given of the cell's row, column or box."""
        held = self._held()
        return held | (self.permitted & ~sudoku_rules.taken(self.box_rows, self.box_cols, held))

    def _held(self) -> np.ndarray:
        """Bool [L, n]: the value of each given."""
        return np.array(self.givens)[:, None] == np.arange(1, self.size + 1)

    def shape(self) -> tuple[str, int, int, int]:
        return (self.name, self.size, self.box_rows, self.box_cols)

    def factor_graph(self) -> FactorGraph:
        return sudoku_rules.factor_graph(self.box_rows, self.box_cols)

    def given_values(self) -> tuple[frozenset[int], ...]:
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in self.permitted)

    def grid(self) -> GridLayout:
        givens = frozenset(slot for slot, value in enumerate(self.givens) if value)
        return GridLayout(self.size, self.size, self.box_rows, self.box_cols, self.symbols, givens)

    def question(self, *, lines: bool = False) -> str:
        """The words that `dgsolve data sudoku` writes too, so models trained on these know them."""
        return f"Solve this Sudoku:\n{self.to_sdk().rstrip() if lines else self.to_line()}"

    def describe(self) -> str:
        boxes = f", boxes {self.box_rows}x{self.box_cols}" if self.box_rows != self.box_cols else ""
        marks = ", pencil marks" if self.pencilmarks is not None else ""
        givens = counted(sum(value > 0 for value in self.givens), "given")
        return f"{self.size}x{self.size} Sudoku{boxes}, {givens}{marks}"

    def cell(self, slot: int) -> str:
        return cell_name(slot, self.size)

    def given_text(self, slot: int) -> str:
        if self.givens[slot]:
            return f"{self.cell(slot)} = {self.symbols[self.givens[slot] - 1]}"
        marks = sorted(self.pencilmarks[slot]) if self.pencilmarks else ()
        return f"{self.cell(slot)} of {{{' '.join(self.symbols[value - 1] for value in marks)}}}"

    def symbols_of(self, answer: Any = None) -> list[str | None]:
        return [self.symbols[value - 1] if value else None for value in (self.givens if answer is None else answer)]

    def line(self, answer: Any = None) -> str:
        return sudoku_writing.line(self, self.givens if answer is None else answer)

    def answer_field(self, answer: Any) -> str | list[str]:
        """All cells in one string up to 9x9, else one string a row."""
        return self.line(answer) if self.size <= 9 else sudoku_writing.rows(self, answer).split("\n")

    def __str__(self) -> str:
        return self.to_line() if self.size <= 9 else self.to_sdk()

    def to_line(self) -> str:
        """All cells on one line: 81 characters for 9x9; numbers of several digits stand apart."""
        return self.line()

    def to_sdm(self) -> str:
        """The line with its line feed, as files of many puzzles have it."""
        return self.to_line() + "\n"

    def to_sdk(self) -> str:
        """One row per line."""
        return sudoku_writing.rows(self, self.givens)

    def to_json(self) -> str:
        """One JSON object: size, box, symbols, givens as rows of numbers, pencil marks if any."""
        return sudoku_writing.as_json(self)


def _whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """As plain ints, of whatever integer type they were."""
    try:
        return tuple(map(int, map(index, values)))
    except TypeError as error:
        hint = "Give n * n whole numbers, 0 for an open cell; Sudoku.parse reads text, Sudoku.from_rows rows or arrays."
        raise UsageError(f"{name}={shown(values)} is not a sequence of whole numbers", hint=hint) from error


def _sets_of_numbers(marks: Any) -> tuple[frozenset[int], ...]:
    try:
        return tuple(frozenset(map(int, map(index, held))) for held in marks)
    except TypeError as error:
        hint = "Give one set of values for each cell, such as [{1, 2}, {3}, ...]."
        raise UsageError(f"pencilmarks={shown(marks)} are not sets of whole numbers", hint=hint) from error
