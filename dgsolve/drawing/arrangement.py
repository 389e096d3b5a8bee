"""A layout's marks put in place: regions and cages without overlaps, signs turned, clues outside or in holes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from dgsolve.drawing.marks import Cage, EdgeClue, Mark, Shade, Sign, Thermo
from dgsolve.drawing.places import Place, after, connected, places_of, step_of
from dgsolve.problem import GridLayout

RIGHT, DOWN = (0, 1), (1, 0)
_MIRRORED = {"<": ">", "≤": "≥"}
_UPRIGHT = {"<": "∧", ">": "∨"}
_ARROWS = {(1, 1): "↘", (1, -1): "↙", (-1, 1): "↗", (-1, -1): "↖"}


@dataclass
class Arrangement:
    """regions, cages: the number of the one that a place belongs to. labels: of cages, at their first place.

    signs: between a place and its neighbour by the step RIGHT or DOWN. clues: by a place outside the grid or of a hole,
    the step that leads into the line, and the text. tinted: places on diagonals and in windows. shades: the symbol with
    which a place is filled.
    """

    places: tuple[Place, ...]
    regions: dict[Place, int] = field(default_factory=dict)
    cages: dict[Place, int] = field(default_factory=dict)
    labels: dict[Place, str] = field(default_factory=dict)
    signs: dict[tuple[Place, Place], str] = field(default_factory=dict)
    clues: dict[Place, dict[Place, str]] = field(default_factory=lambda: defaultdict(dict))
    tinted: set[Place] = field(default_factory=set)
    thermos: list[tuple[Place, ...]] = field(default_factory=list)
    shades: dict[Place, str] = field(default_factory=dict)


@lru_cache(maxsize=64)  # one drawing asks for it once a frame
def arranged(layout: GridLayout) -> Arrangement:
    """What of the marks can be drawn; a mark on cells that do not lie as it needs is left out."""
    return _Arranging(layout).found


class _Arranging:
    def __init__(self, layout: GridLayout) -> None:
        self.layout = layout
        self.found = Arrangement(places_of(layout))
        self.cells = frozenset(self.found.places)
        marks = [(mark, tuple(self.found.places[slot] for slot in mark.slots)) for mark in layout.marks]
        self._boxes()
        self._walls([(mark, line) for mark, line in marks if isinstance(mark, Cage)])
        for mark, line in marks:
            if isinstance(mark, Sign):
                self._sign(line, mark.text)
            elif isinstance(mark, Thermo):
                self._thermo(line)
            elif isinstance(mark, EdgeClue):
                self._clue(line, mark.text)
            elif isinstance(mark, Shade):
                self.found.shades |= dict.fromkeys(line, mark.text)

    def _boxes(self) -> None:
        layout, across = self.layout, self.layout.cols // self.layout.box_cols
        if layout.places or (layout.box_rows, layout.box_cols) == (layout.rows, layout.cols):
            return
        self.found.regions = {
            (r, c): r // layout.box_rows * across + c // layout.box_cols for r, c in self.found.places
        }

    def _walls(self, marks: list[tuple[Mark, tuple[Place, ...]]]) -> None:
        """Areas of as many cells as there are values are regions, the rest cages; crooked regions come first.

        What fills a line from end to end needs no wall: its clue stands before it.
        """
        areas = []
        for mark, line in marks:
            if not self._filled(sorted(line)):
                areas.append((mark, line))
            elif mark.text:
                self._clue(tuple(sorted(line)), mark.text.removesuffix("+"))
            elif 0 not in (step_of(sorted(line)) or (0,)):
                self.found.tinted |= {*line}
        full = len(self.layout.symbols)
        regions = [line for mark, line in areas if not mark.text and len(line) >= full]
        for line in sorted(regions, key=lambda line: step_of(sorted(line)) is not None):
            self._region(line)
        for mark, line in areas:
            if mark.text or len(line) < full:
                self._cage(line, mark.text)

    def _region(self, line: tuple[Place, ...]) -> None:
        if not connected(line):
            return
        if not self.found.regions.keys() & {*line}:
            self.found.regions |= dict.fromkeys(line, len(self.found.regions))
        elif step_of(sorted(line)) is None:
            self.found.tinted |= {*line}

    def _cage(self, line: tuple[Place, ...], text: str) -> None:
        if not connected(line):
            return
        if not self.found.cages.keys() & {*line}:
            self.found.cages |= dict.fromkeys(line, len(self.found.cages))
            if text:
                self.found.labels[min(line)] = text
        elif len(line) == 2:
            self._sign(line, text)

    def _filled(self, line: list[Place]) -> bool:
        """Whether a straight line goes from edge to edge, or from hole to hole."""
        step = step_of(line)
        return step is not None and not {after(line[0], step, -1), after(line[-1], step)} & self.cells

    def _sign(self, pair: tuple[Place, ...], text: str) -> None:
        first, step = min(pair), step_of(sorted(pair))
        if len(pair) == 2 and step in (RIGHT, DOWN):
            text = text if first == pair[0] else _MIRRORED.get(text, text)
            self.found.signs.setdefault((first, step), text if step == RIGHT else _UPRIGHT.get(text, text))

    def _thermo(self, line: tuple[Place, ...]) -> None:
        steps = [step_of(pair) for pair in pairwise(line)]
        if None not in steps:
            self.found.thermos.append(line)
            for pair in pairwise(line):
                self._sign(pair, "<")

    def _clue(self, line: tuple[Place, ...], text: str) -> None:
        step = step_of(line) or self._lone_step(line)
        if step is None or after(line[0], step, -1) in self.cells:
            return
        said = self.found.clues[after(line[0], step, -1)]
        text += _ARROWS.get(step, "")
        said[step] = f"{said[step]} {text}" if step in said else text

    def _lone_step(self, line: tuple[Place, ...]) -> Place | None:
        """Into a line of one cell: along the side on which the grid is one cell wide."""
        if len(line) != 1 or 1 not in (self.layout.rows, self.layout.cols):
            return None
        return RIGHT if self.layout.cols == 1 else DOWN
