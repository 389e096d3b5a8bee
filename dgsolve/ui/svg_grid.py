"""A grid as SVG elements: values, walls, labels in corners, signs on edges, clues outside and in holes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from dgsolve.drawing.arrangement import DOWN, RIGHT, arranged
from dgsolve.drawing.colours import colour_under
from dgsolve.drawing.lattice import lattice
from dgsolve.drawing.listing import listed
from dgsolve.drawing.looks import FAULT, Face
from dgsolve.drawing.places import Place
from dgsolve.drawing.squares import QUEEN
from dgsolve.problem import GridLayout
from dgsolve.ui.svg_document import ink, paint, xml_text
from dgsolve.ui.svg_plan import ITEM, SMALL, SvgPlan

LINE = 18  # pixels of what is listed below the grid
NARROWEST = 240  # pixels that a list may be wide, though the grid is narrower


class SvgGrid:
    """A layout with what its slots hold; elements stand between (0, 0) and (width, height), in pixels."""

    def __init__(self, layout: GridLayout, faces: Sequence[Face]) -> None:
        self._layout, self._found, self._faces = layout, arranged(layout), faces
        self._plan = SvgPlan.of(layout, self._found)
        columns = max(self._plan.width, NARROWEST) // SMALL
        self._listed = listed(self._found.listed, columns) if self._found.listed else []
        self.width = max(self._plan.width, *(cell_len(line) * SMALL for line in self._listed), 0)
        self.height = self._plan.height + len(self._listed) * LINE + (LINE // 2 if self._listed else 0)

    def elements(self) -> list[str]:
        """What lies beneath comes first."""
        lines = self._plan.lines(self._found, lattice(self._layout))
        paths = [f'<path class="{name}" d="{path}"/>' for name, path in lines.items()]
        return [*self._ground(), *self._cells(), *paths, *self._labels(), *self._signs(), *self._clues(), *self._list()]

    def _ground(self) -> Iterator[str]:
        """Tints of diagonals and windows, holes that hold clues, thermometers."""
        plan = self._plan
        for place in sorted(self._found.tinted | self._found.checkers):
            yield self._box("tint", place, 0)
        if any(self._is_inside(place) for place in self._found.clues):
            cells = frozenset(self._found.places)
            holes = ((r, c) for r in range(self._layout.rows) for c in range(self._layout.cols) if (r, c) not in cells)
            yield from (self._box("hole", place, 0) for place in holes)
        for line in self._found.thermos:
            points = [(plan.x(c + 0.5), plan.y(r + 0.5)) for r, c in line]
            path = "L".join(f"{x:g} {y:g}" for x, y in points)
            yield f'<circle class="bulb" cx="{points[0][0]:g}" cy="{points[0][1]:g}" r="11"/>'
            yield f'<path class="tube" d="M{path}"/>'

    def _is_inside(self, place: Place) -> bool:
        return 0 <= place[0] < self._layout.rows and 0 <= place[1] < self._layout.cols

    def _box(self, name: str, place: Place, inset: int, corner: int = 1, style: str = "") -> str:
        x, y = self._plan.x(place[1]) + inset, self._plan.y(place[0]) + inset
        size = f'width="{self._plan.wide - 2 * inset}" height="{self._plan.high - 2 * inset}"'
        return f'<rect class="{name}" x="{x:g}" y="{y:g}" {size} rx="{corner}"{style}/>'

    def _cells(self) -> Iterator[str]:
        for place, (symbol, look) in zip(self._found.places, self._faces, strict=True):
            colour = colour_under(self._layout.symbols, (symbol, look))
            if look == FAULT:
                yield self._box("mark", place, 2, 4)
            elif colour:
                yield self._box("colour", place, 0, 0, paint(colour))
            shade = self._found.shades.get(place)
            if place in self._found.prints:
                yield from self._print(place, look, is_shaded=symbol is not None and symbol == shade)
            elif symbol is None or place in self._found.quiet:
                continue
            elif symbol == shade:
                yield self._box(look, place, 8 if look == FAULT else 1)
            else:
                is_empty = shade is not None and len(self._layout.symbols) == 2
                yield self._value("·" if is_empty else symbol, place, look, colour)

    def _print(self, place: Place, look: str, *, is_shaded: bool) -> Iterator[str]:
        """A number seen on the shade that fills its cell."""
        if is_shaded:
            yield self._box("settled" if look == FAULT else look, place, 6 if look == FAULT else 1)
        yield self._value(self._found.prints[place], place, "paper" if is_shaded else look, "")

    def _value(self, symbol: str, place: Place, look: str, colour: str) -> str:
        below = 9 if self._found.labels else 6  # its middle, where it stands free
        x, y = self._plan.x(place[1] + 0.5), self._plan.y(place[0] + 0.5) + below
        name = f"{look} piece" if symbol == QUEEN else look
        return f'<text class="{name}" x="{x:g}" y="{y:g}"{ink(colour)}>{xml_text(symbol)}</text>'

    def _labels(self) -> Iterator[str]:
        for (row, column), label in self._found.labels.items():
            x, y = self._plan.x(column) + 3, self._plan.y(row) + 11
            yield f'<text class="label" x="{x:g}" y="{y:g}">{xml_text(label)}</text>'

    def _signs(self) -> Iterator[str]:
        for ((row, column), step), sign in self._found.signs.items():
            down, across = (0.5, 1.0) if step == RIGHT else (1.0, 0.5)
            x, y = self._plan.x(column + across), self._plan.y(row + down)
            yield f'<text class="sign" x="{x:g}" y="{y + 5:g}">{xml_text(sign)}</text>'

    def _clues(self) -> Iterator[str]:
        """Outside the grid: towards it from all sides, above and below it one item a line."""
        plan, rows, cols = self._plan, self._layout.rows, self._layout.cols
        for (row, column), said in self._found.clues.items():
            text = " ".join(said.values())
            if self._is_inside((row, column)):
                yield from self._hole_clues((row, column), said)
            elif not 0 <= column < cols:
                y = plan.y(row + 0.5) + 5 if 0 <= row < rows else plan.y(0) - 8 if row < 0 else plan.y(rows) + ITEM
                x, side = (plan.x(0) - 6, "before") if column < 0 else (plan.x(cols) + 6, "after")
                yield f'<text class="clue {side}" x="{x:g}" y="{y:g}">{xml_text(text)}</text>'
            else:
                items = text.split()
                first = plan.y(0) - 7 - (len(items) - 1) * ITEM if row < 0 else plan.y(rows) + ITEM
                for number, item in enumerate(items):
                    x, y = plan.x(column + 0.5), first + number * ITEM
                    yield f'<text class="clue" x="{x:g}" y="{y:g}">{xml_text(item)}</text>'

    def _list(self) -> Iterator[str]:
        """Below the grid, what found no room in it."""
        for number, line in enumerate(self._listed, 1):
            y = self._plan.height + number * LINE
            yield f'<text class="clue after" x="0" y="{y:g}">{xml_text(line)}</text>'

    def _hole_clues(self, place: Place, said: dict[Place, str]) -> Iterator[str]:
        """Of the line down below the diagonal, of the line to the right above it."""
        plan, (row, column) = self._plan, place
        yield f'<path class="thin" d="M{plan.x(column):g} {plan.y(row):g}L{plan.x(column + 1):g} {plan.y(row + 1):g}"/>'
        for step, across, down in ((DOWN, 0.3, 0.9), (RIGHT, 0.7, 0.42)):
            if step in said:
                x, y = plan.x(column + across), plan.y(row + down)
                yield f'<text class="small" x="{x:g}" y="{y:g}">{xml_text(said[step])}</text>'
