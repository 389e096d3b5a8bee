"""Where the parts of a grid stand in an SVG picture, in pixels, and the lines between its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.cells import cell_len

from dgsolve.drawing.arrangement import DOWN, RIGHT, Arrangement
from dgsolve.drawing.lattice import Lattice, Weight
from dgsolve.drawing.places import Place, after
from dgsolve.problem import GridLayout

CELL, ROOMY = 28, 36  # the side of a cell, and of one with a label in its corner or signs on its edges
ADVANCE, SMALL, TINY = 10, 8, 6  # of a character of a value, of a clue outside, and of a label
ITEM = 16  # the height of a clue above a column


@dataclass(frozen=True)
class SvgPlan:
    """left, top: where the cells begin. wide, high: of one cell. width, height: of all, clues outside included."""

    left: int
    top: int
    wide: int
    high: int
    width: int
    height: int

    @classmethod
    def of(cls, layout: GridLayout, found: Arrangement) -> SvgPlan:
        """With room for what stands in cells, and around them."""
        inside = [place for place in found.clues if 0 <= place[0] < layout.rows and 0 <= place[1] < layout.cols]
        high = ROOMY if found.labels or found.signs or inside else CELL
        symbols = max(map(cell_len, layout.symbols)) * ADVANCE + 8
        wide = max(high, symbols, max(map(cell_len, found.labels.values()), default=0) * TINY + 6)
        margins = [
            _margin(found, lambda place: place[1] == -1, _width),
            _margin(found, lambda place: place[1] == layout.cols, _width),
            _margin(found, lambda place: place[0] == -1, _height),
            _margin(found, lambda place: place[0] == layout.rows, _height),
        ]
        left, right, top, bottom = margins
        return cls(left, top, wide, high, left + layout.cols * wide + right, top + layout.rows * high + bottom)

    def x(self, column: float) -> float:
        """Of the edge before a column; of its middle with a half added."""
        return self.left + column * self.wide

    def y(self, row: float) -> float:
        """Of the edge above a row; of its middle with a half added."""
        return self.top + row * self.high

    def lines(self, found: Arrangement, lattice: Lattice) -> dict[str, str]:
        """Of each class of lines, a path; a thin line lies between cells that nothing parts."""
        cells = found.places
        across = {edge: "thin" for place in cells for edge in (place, after(place, DOWN))}
        along = {edge: "thin" for place in cells for edge in (place, after(place, RIGHT))}
        across |= {edge: _line_class(weight, lattice) for edge, weight in lattice.above.items()}
        along |= {edge: _line_class(weight, lattice) for edge, weight in lattice.before.items()}
        found_lines: dict[str, str] = {}
        for name in ("thin", "cage", "thick", "passage"):
            rows = [edge for edge, held in across.items() if held == name]
            columns = [(c, r) for (r, c), held in along.items() if held == name]
            path = "".join(f"M{self.x(c):g} {self.y(r):g}H{self.x(end):g}" for r, c, end in _joined(rows))
            path += "".join(f"M{self.x(c):g} {self.y(r):g}V{self.y(end):g}" for c, r, end in _joined(columns))
            found_lines |= {name: path} if path else {}
        return found_lines


def _line_class(weight: Weight, lattice: Lattice) -> str:
    if weight == Weight.PASSAGE:
        return "passage"
    return "cage" if weight == Weight.LIGHT and lattice.two_levels else "thick"


def _joined(edges: Iterable[Place]) -> list[tuple[int, int, int]]:
    """Edges on one line, one after the other, as (line, first, end)."""
    joined: list[tuple[int, int, int]] = []
    for line, number in sorted(edges):
        if joined and joined[-1][0] == line and joined[-1][2] == number:
            joined[-1] = (line, joined[-1][1], number + 1)
        else:
            joined.append((line, number, number + 1))
    return joined


def _margin(found: Arrangement, is_there: Callable[[Place], bool], size: Callable[[str], int]) -> int:
    return max((size(" ".join(said.values())) for place, said in found.clues.items() if is_there(place)), default=0)


def _width(text: str) -> int:
    return cell_len(text) * SMALL + 10


def _height(text: str) -> int:
    return len(text.split()) * ITEM + 6
