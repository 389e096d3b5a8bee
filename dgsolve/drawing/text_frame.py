"""A layout on a page of characters: walls, labels in the corners of cages, signs between cells, clues at the edges."""

from __future__ import annotations

from collections.abc import Sequence

from dgsolve.drawing.arrangement import RIGHT, arranged
from dgsolve.drawing.colours import colour_under
from dgsolve.drawing.lattice import ACROSS, ALONG, junction, lattice
from dgsolve.drawing.listing import clue_of, listed
from dgsolve.drawing.looks import CLUE, FAULT, FRAME, ON, TINTED, Face, Run
from dgsolve.drawing.places import Place, after
from dgsolve.drawing.text_page import TextPage
from dgsolve.drawing.text_plan import TextPlan, hole_text
from dgsolve.problem import GridLayout

OPEN, FILLED, WRONG = "·", "█", "▒"  # WRONG: filled and faulty, whose colours are turned round


class TextFrame:
    """All but what the slots hold. listed: the clues that found no room."""

    def __init__(self, layout: GridLayout, plan: TextPlan) -> None:
        self._symbols, self._found, self._lattice = layout.symbols, arranged(layout), lattice(layout)
        self.plan, self.listed = plan, list(self._found.listed)
        self._page = TextPage()
        for row in range(plan.rows + 1):
            self._rule(row)
        for (row, column), weight in self._lattice.before.items():
            self._page.write(plan.row(row), plan.edge(column), ALONG[weight], FRAME)
        self._labels()
        self._signs()
        self._margins()
        self._holes()

    def _rule(self, row: int) -> None:
        """The edges above a row, and the corners on them."""
        if not self.plan.is_ruled(row):
            return
        line = self.plan.rule(row)
        for column in range(self.plan.cols + 1):
            if self.plan.edge_width(column):
                corner = junction(self._lattice.corner((row, column)))
                self._page.write(line, self.plan.edge(column), corner, FRAME)
            if (row, column) in self._lattice.above:
                piece = ACROSS[self._lattice.above[row, column]]
                self._page.spell(line, self.plan.cell(column), piece * self.plan.cell_width(column), FRAME)

    def _labels(self) -> None:
        """In the edge above a cage's first cell, or beneath the grid."""
        for place, label in self._found.labels.items():
            if self.plan.roomy:
                self._page.spell(self.plan.rule(place[0]), self.plan.cell(place[1]), label, CLUE)
            else:
                self.listed.append(clue_of((place,), label))

    def _signs(self) -> None:
        """On the edges; one of two or three characters needs the pads of cells, or goes beneath the grid."""
        for (place, step), sign in self.plan.listed_signs.items():
            self.listed.append(clue_of((place, after(place, step)), sign))
        for ((row, column), step), sign in self.plan.signs.items():
            line, middle = self.plan.row(row), self.plan.edge(column + 1)
            if step != RIGHT:
                line = self.plan.rule(row + 1)
                middle = self.plan.cell(column) + self.plan.pads(column)[0] + (self.plan.inner - 1) // 2
            self._page.spell(line, middle - (len(sign) - 1) // 2, sign, CLUE)
        for (row, column), arrow in self._found.slants.items():
            self._page.write(self.plan.rule(row), self.plan.edge(column), arrow, CLUE)

    def _margins(self) -> None:
        plan = self.plan
        for row, clue in plan.left.items():
            self._page.write(plan.row(row), plan.margin - 1 - len(clue), clue, CLUE)
        for row, clue in plan.right.items():
            self._page.write(plan.row(row), plan.end + 1, clue, CLUE)
        for clues, is_top in ((plan.top, True), (plan.bottom, False)):
            for column, items in clues.items():
                line = plan.header - len(items) if is_top else plan.row(plan.rows)
                if plan.is_crowded:
                    self.listed.append(f"{'top' if is_top else 'bottom'} of c{column + 1}: {' '.join(items)}")
                for offset, item in enumerate(() if plan.is_crowded else items):
                    self._write_in_cell(line + offset, column, item, CLUE)

    def _write_in_cell(self, line: int, column: int, words: str, look: str) -> None:
        centred = words.center(self.plan.inner)
        at = len(centred) - len(centred.lstrip())
        self._page.write(line, self.plan.cell(column) + self.plan.pads(column)[0] + at, words, look)

    def _holes(self) -> None:
        """Clues of kakuro: down\\right in the hole before a line."""
        for place, clues in self.plan.inside.items():
            words = hole_text(clues)
            if words and self.plan.roomy:
                indent = (self.plan.cell_width(place[1]) - len(words)) // 2
                self._page.write(self.plan.row(place[0]), self.plan.cell(place[1]) + indent, words, CLUE)
            elif words:
                self.listed.append(clue_of((place,), words))

    @property
    def width(self) -> int:
        """Columns of the picture, what is listed beneath it not counted."""
        return self.plan.width

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        """The picture with what the slots hold; clues that found no room are listed below in `width` columns."""
        return [*self._filled(faces), *([(line, CLUE)] for line in listed(self.listed, width))]

    def _filled(self, faces: Sequence[Face]) -> list[list[Run]]:
        plan, page = self.plan, TextPage(self._page)
        for place, face in zip(self._found.places, faces, strict=True):
            words, look = self._shown(place, face)
            look += TINTED if place in self._found.tinted else ""
            start, colour = plan.cell(place[1]), colour_under(self._symbols, face)
            before, after = (" " * pad for pad in plan.pads(place[1]))
            if colour:
                page.spell(plan.row(place[0]), start, before + words + after, look + ON + colour)
            else:
                page.write(plan.row(place[0]), start + len(before), words, look)
        return page.lines()

    def _shown(self, place: Place, face: Face) -> Run:
        """What stands in a cell, and its look."""
        symbol, look = face
        shade = self._found.shades.get(place)
        said = self._found.prints.get(place)
        if said is not None:
            words = f"▐{said}▌" if shade is not None and symbol == shade else said
        elif place in self._found.quiet:
            words = ""
        elif shade is not None and symbol in (None, shade):
            words = "" if symbol is None else (WRONG if look == FAULT else FILLED) * self.plan.inner
        elif symbol is None or (shade is not None and len(self._symbols) == 2):
            words = OPEN
        else:
            words = symbol.rjust(self.plan.symbol_width if symbol.isdecimal() else 0)
        return words.center(self.plan.inner), look
