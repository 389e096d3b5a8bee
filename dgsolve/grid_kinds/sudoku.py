"""Sudoku and its variants: X, windoku, jigsaw, killer, thermo, sandwich, consecutive, anti-knight, anti-king."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar

from dgsolve.errors import UsageError
from dgsolve.grid_kinds.base import GridKind, Raw, blaming, givens
from dgsolve.grid_kinds.making import cage_cells, checked_clues, latin_grid, neighbours_of, refuse_jumps, refuse_sum
from dgsolve.grid_kinds.options import Cage, Cages, CellsText, Clues, Lines
from dgsolve.plural import counted
from dgsolve.problems.grid import Grid
from dgsolve.rules.parameters import Flag, Several, Whole, parameter

_KNIGHT = ((1, 2), (1, -2), (2, 1), (2, -1))
_KING = ((1, 1), (1, -1))


@dataclass(frozen=True)
class SudokuKind(GridKind):
    """Every value once in each row, column and box; each option adds what a variant of the puzzle adds.

    regions take the place of boxes (jigsaw). The cells of a cage differ, and add up to its sum where it has one.

        kind = "sudoku"
        diagonals = true
        givens = "..."
    """

    kind: ClassVar[str] = "sudoku"
    title: ClassVar[str] = "Sudoku"
    variants: ClassVar[tuple[str, ...]] = (
        "regions",
        "diagonals",
        "windoku",
        "anti_knight",
        "anti_king",
        "nonconsecutive",
        "bars",
        "all_marked",
        "cages",
        "thermos",
        "sandwich_rows",
        "sandwich_cols",
    )

    givens: Any = givens()
    size: int = parameter(Whole(1), "rows, columns and values", 9)
    box: tuple[int, ...] = parameter(Several(Whole(1), length=2), "rows and columns of a box; usual if left out", ())
    regions: tuple[Any, ...] = parameter(Lines(), "in place of boxes: lines of letters, one letter a region", ())
    values: Any = parameter(Raw(), "the values, where they are not 1 to size", None)
    diagonals: bool = parameter(Flag(), "true: every value once on each diagonal (X)", False)
    windoku: bool = parameter(Flag(), "true: every value once in each window between the boxes", False)
    anti_knight: bool = parameter(Flag(), "true: cells a knight's move apart differ", False)
    anti_king: bool = parameter(Flag(), "true: cells that touch at a corner differ", False)
    nonconsecutive: bool = parameter(Flag(), "true: neighbours never differ by 1", False)
    bars: tuple[Any, ...] = parameter(Several(CellsText()), "pairs of neighbours that differ by 1", ())
    all_marked: bool = parameter(Flag(), "true: neighbours without a bar never differ by 1", False)
    cages: tuple[Cage, ...] = parameter(Cages("sum"), "killer cages: {cells, sum}; the sum may be left out", ())
    thermos: tuple[Any, ...] = parameter(Several(CellsText()), "thermometers from the bulb on; values grow", ())
    sandwich_rows: tuple[int | None, ...] = parameter(
        Clues(none=-1), "the sum between least and greatest value of each row; -1 for no clue", ()
    )
    sandwich_cols: tuple[int | None, ...] = parameter(Clues(none=-1), "the same of each column", ())

    def build(self) -> Grid:
        self._refuse_misfits()
        grid = latin_grid(self.size, self.givens, f"{self.size}x{self.size} {self.title}", self.values)
        for cells in self._areas(grid):
            grid.all_different(cells)
        for first, second in self._moves(grid):
            grid.not_equal(first, second)
        self._add_neighbours(grid)
        self._add_cages(grid)
        self._add_thermos(grid)
        self._add_sandwiches(grid)
        return grid

    def _refuse_misfits(self) -> None:
        if self.regions and self.box:
            raise UsageError("box: regions take the place of boxes", hint="Leave out box, or regions.")
        if self.nonconsecutive and self.bars:
            raise UsageError("nonconsecutive: no neighbours may differ by 1, but bars say that some do")
        if self.all_marked and not self.bars:
            raise UsageError("all_marked: there are no bars", hint="For none anywhere: nonconsecutive = true.")

    def _areas(self, grid: Grid) -> list[tuple[str, ...]]:
        areas = self._regions(grid) if self.regions else self._boxes(grid)
        if self.diagonals:
            areas += grid.diagonals()
        return areas + (self._windows(grid) if self.windoku else [])

    def _boxes(self, grid: Grid) -> list[tuple[str, ...]]:
        rows, cols = self._box()
        if rows * cols != self.size:
            raise UsageError(f"box: boxes of {rows}x{cols} do not hold {counted(self.size, 'value')}")
        return grid.boxes(rows, cols)

    def _box(self) -> tuple[int, ...]:
        if self.box:
            return self.box
        rows = max(number for number in range(1, isqrt(self.size) + 1) if self.size % number == 0)
        if rows == 1 and self.size > 3:
            hint = "Give regions, or kind = \"latin\" for rows and columns alone."
            raise UsageError(f"size: a {self.size}x{self.size} grid has no boxes", hint=hint)
        return rows, self.size // rows

    def _regions(self, grid: Grid) -> list[tuple[str, ...]]:
        with blaming("regions"):
            regions = grid.regions(self.regions)
            if len(regions) != self.size:
                raise UsageError(f"there are {counted(len(regions), 'region')}, the grid needs {self.size}")
            for cells in regions:
                if len(cells) != self.size:
                    raise UsageError(f"the region of {cells[0]} has {counted(len(cells), 'cell')}, not {self.size}")
        return regions

    def _windows(self, grid: Grid) -> list[tuple[str, ...]]:
        side = isqrt(self.size)
        if side * side != self.size or self.regions or self._box() != (side, side):
            raise UsageError("windoku: only a grid of square boxes has windows", hint="Sizes: 4, 9, 16 and 25.")
        corners = range(1, self.size - side, side + 1)
        return [
            grid.cells.line((r + i, c + j) for i in range(side) for j in range(side)) for r in corners for c in corners
        ]

    def _moves(self, grid: Grid) -> Iterator[tuple[str, str]]:
        moves = (_KNIGHT if self.anti_knight else ()) + (_KING if self.anti_king else ())
        for r, c in grid.cells.places:
            for down, across in moves:
                pair = grid.cells.line(((r, c), (r + down, c + across)))
                if len(pair) == 2:
                    yield pair[0], pair[1]

    def _add_neighbours(self, grid: Grid) -> None:
        barred = list(neighbours_of(grid, "bars", self.bars))
        for first, second in barred:
            grid.adjacent(first, second)
        if self.nonconsecutive or self.all_marked:
            marked = {frozenset(pair) for pair in barred}
            for pair in grid.neighbours():
                if frozenset(pair) not in marked:
                    grid.adjacent(*pair, never=True)

    def _add_cages(self, grid: Grid) -> None:
        for number, (slots, cage) in enumerate(zip(cage_cells(grid, self.cages), self.cages, strict=True), 1):
            names = [grid.cell(slot) for slot in slots]
            with blaming(f"cages[{number}]"):
                refuse_sum(len(names), cage.target, grid.values.numbers)
            if cage.target is None:
                grid.all_different(names)
            else:
                grid.sum(names, cage.target, distinct=True)

    def _add_thermos(self, grid: Grid) -> None:
        for number, cells in enumerate(self.thermos, 1):
            with blaming(f"thermos[{number}]"):
                slots = grid.cells.slots(cells)
                if not 2 <= len(slots) <= self.size:
                    raise UsageError(f"a thermometer has 2 to {self.size} cells, not {len(slots)}")
                refuse_jumps(grid, slots)
                grid.less_than(*(grid.cell(slot) for slot in slots))

    def _add_sandwiches(self, grid: Grid) -> None:
        numbers = sorted(grid.values.numbers)
        most = sum(numbers[1:-1])
        ends = [grid.values.native(numbers[0]), grid.values.native(numbers[-1])]
        for option, lines in (("sandwich_rows", grid.rows()), ("sandwich_cols", grid.cols())):
            clues = checked_clues(option, getattr(self, option), self.size, 0, most)
            for line, clue in zip(lines, clues, strict=True):
                if clue is not None:
                    grid.sandwich(line, clue, between=ends)
