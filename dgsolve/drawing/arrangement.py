"""A layout's marks put in place: regions and cages without overlaps, signs turned, clues outside or in holes."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from dgsolve.drawing import marks as kinds
from dgsolve.drawing.listing import clue_of
from dgsolve.drawing.marks import Cage, EdgeClue, Mark, Sign, Total, mirrored, printable
from dgsolve.drawing.places import Place, after, places_of, step_of
from dgsolve.pieces import beside, pieces
from dgsolve.problem import GridLayout

RIGHT, DOWN = (0, 1), (1, 0)
_UPRIGHT = {"<": "∧", ">": "∨"}
_ARROWS = {(1, 1): "↘", (1, -1): "↙", (-1, 1): "↗", (-1, -1): "↖"}
Signs = dict[tuple[Place, Place], str]


@dataclass
class Arrangement:
    """regions, cages: the number of the one that a place belongs to. labels: of cages, at their first place.

    signs: between a place and its neighbour by the step RIGHT or DOWN. clues: by a place outside the grid or of a hole,
    the step that leads into the line, and the text. tinted: places on diagonals and in windows. checkers: dark squares.
    growth: thermometers as signs; slants: their steps over a corner, by the place below and to the right of it.
    quiet: places whose values are seen by their colours alone. shades: the symbol that fills a place. prints: what is
    seen in a place, whatever it holds. listed: clues of cages that no wall can be drawn around.
    """

    places: tuple[Place, ...]
    regions: dict[Place, int] = field(default_factory=dict)
    cages: dict[Place, int] = field(default_factory=dict)
    labels: dict[Place, str] = field(default_factory=dict)
    signs: Signs = field(default_factory=dict)
    clues: dict[Place, dict[Place, str]] = field(default_factory=lambda: defaultdict(dict))
    tinted: set[Place] = field(default_factory=set)
    checkers: set[Place] = field(default_factory=set)
    quiet: set[Place] = field(default_factory=set)
    thermos: list[tuple[Place, ...]] = field(default_factory=list)
    growth: Signs = field(default_factory=dict)
    slants: dict[Place, str] = field(default_factory=dict)
    shades: dict[Place, str] = field(default_factory=dict)
    prints: dict[Place, str] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)


@lru_cache(maxsize=64)  # one drawing asks for it once a frame
def arranged(layout: GridLayout) -> Arrangement:
    """What of the marks can be drawn; a mark on cells that do not lie as it needs is left out."""
    return _Arranging(layout).found


class _Arranging:
    def __init__(self, layout: GridLayout) -> None:
        self.layout = layout
        self.found = Arrangement(places_of(layout))
        self.cells = frozenset(self.found.places)
        names = [mark for mark in layout.marks if isinstance(mark, kinds.Name)]
        drawn = [printable(mark) for mark in names or layout.marks]  # named cells lie nowhere
        marks = [(mark, tuple(self.found.places[slot] for slot in mark.slots)) for mark in drawn]
        self._boxes()
        self._walls([(mark, line) for mark, line in marks if isinstance(mark, Cage)])
        for mark, line in marks:
            if isinstance(mark, Sign):
                self._sign(line, mark.text)
            elif isinstance(mark, kinds.Thermo):
                self._thermo(line)
            elif isinstance(mark, EdgeClue):
                self._clue(line, mark.text)
            elif isinstance(mark, kinds.Shade):
                self.found.shades |= dict.fromkeys(line, mark.text)
            elif isinstance(mark, kinds.Print):
                self.found.prints |= dict.fromkeys(line, mark.text)
            elif isinstance(mark, kinds.Checkers):
                self.found.checkers |= {*line}
            elif isinstance(mark, kinds.Quiet):
                self.found.quiet |= {*line}

    def _boxes(self) -> None:
        layout, across = self.layout, self.layout.cols // self.layout.box_cols
        if layout.places or (layout.box_rows, layout.box_cols) == (layout.rows, layout.cols):
            return
        self.found.regions = {
            (r, c): r // layout.box_rows * across + c // layout.box_cols for r, c in self.found.places
        }

    def _walls(self, marks: list[tuple[Mark, tuple[Place, ...]]]) -> None:
        """What fills a line from end to end needs no wall, unless its clue must stand in a corner.

        Of the rest, areas without a clue and of as many cells as there are values are regions, the others cages.
        """
        areas: dict[tuple[Place, ...], str] = {}
        for mark, line in marks:
            area = tuple(sorted(line))
            filled = self._filled(area)
            if filled and isinstance(mark, Total):
                self._clue(area, mark.text.removesuffix("+"))  # nothing but sums stands there
            elif filled and not mark.text:
                self.found.tinted |= {*area} if 0 not in (step_of(area) or (0,)) else set()
            else:
                areas[area] = " ".join(text for text in (areas.get(area, ""), mark.text) if text)
        walled = {area: text for area, text in areas.items() if len(pieces(area, beside(area))) == 1}
        full = len(self.layout.symbols)
        for area, text in areas.items():
            if area not in walled and (text or len(area) < full):
                self._list(area, text)
        self._regions([area for area, text in walled.items() if not text and len(area) >= full])
        self._cages({area: text for area, text in walled.items() if text or len(area) < full})

    def _regions(self, areas: list[tuple[Place, ...]]) -> None:
        """The crooked ones first; one that overlaps another is a window."""
        for area in sorted(areas, key=lambda area: step_of(area) is not None):
            if not self.found.regions.keys() & {*area}:
                self.found.regions |= dict.fromkeys(area, len(self.found.regions))
            elif step_of(area) is None:
                self.found.tinted |= {*area}
            else:
                self._list(area, "")

    def _cages(self, areas: dict[tuple[Place, ...], str]) -> None:
        """Where some pair overlaps another area all pairs are signs, as the dots of kropki.

        Of other areas that overlap, the first is drawn, and those after it are listed.
        """
        shared = Counter(place for area in areas for place in area)
        pairs = [area for area, text in areas.items() if len(area) == 2 and text]
        are_dots = any(shared[place] > 1 for area in pairs for place in area)
        for area, text in areas.items():
            if are_dots and len(area) == 2 and text:
                self._sign(area, text)
            elif not self.found.cages.keys() & {*area}:
                self.found.cages |= dict.fromkeys(area, len(self.found.cages))
                self.found.labels |= {area[0]: text} if text else {}
            else:
                self._list(area, text)

    def _list(self, area: tuple[Place, ...], text: str) -> None:
        """A cage that lies in pieces, or over another; one without a clue says that its cells differ."""
        self.found.listed.append(clue_of(area, text or "≠"))

    def _filled(self, line: tuple[Place, ...]) -> bool:
        """Whether a straight line goes from edge to edge, or from hole to hole."""
        step = step_of(line)
        return step is not None and not {after(line[0], step, -1), after(line[-1], step)} & self.cells

    def _sign(self, pair: tuple[Place, ...], text: str, signs: Signs | None = None) -> None:
        first, step = min(pair), step_of(sorted(pair))
        if len(pair) == 2 and step in (RIGHT, DOWN):
            text = text if first == pair[0] else mirrored(text)
            signs = self.found.signs if signs is None else signs
            signs.setdefault((first, step), text if step == RIGHT else _UPRIGHT.get(text, text))

    def _thermo(self, line: tuple[Place, ...]) -> None:
        steps = [step_of(pair) for pair in pairwise(line)]
        if None not in steps:
            self.found.thermos.append(line)
            for pair, step in zip(pairwise(line), steps, strict=True):
                self._sign(pair, "<", self.found.growth)
                if step in _ARROWS:
                    (row, column), (row_after, column_after) = pair
                    self.found.slants[max(row, row_after), max(column, column_after)] = _ARROWS[step]

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
