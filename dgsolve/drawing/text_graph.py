"""A graph in characters: every node with its value and its neighbours, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from dgsolve.drawing.colours import colour_under, colours_of
from dgsolve.drawing.graph import EDGE, Graph
from dgsolve.drawing.looks import CLUE, FRAME, ON, Face, Run
from dgsolve.drawing.text_frame import OPEN
from dgsolve.problem import GridLayout

GAP, JOINT = 3, " ─ "
LEAST = 4  # columns for neighbours, such as +123


class TextGraph:
    """A graph in `width` columns, and in `height` lines where it can be; too many neighbours are cut to a count."""

    def __init__(self, layout: GridLayout, graph: Graph, width: int, height: int | None = None) -> None:
        self._symbols, self._graph = layout.symbols, graph
        self._name = max(map(cell_len, graph.names))
        self._value = max(map(cell_len, layout.symbols)) + 2 * bool(colours_of(layout.symbols))
        self._between = ", " if any(" " in name for name in graph.names) else " "
        head, longest = self._name + 1 + self._value + len(JOINT), max(self._tail(slot) for slot in self._slots)
        columns = max((width + GAP) // (head + longest + GAP), 1)
        least = min(longest, LEAST)
        most = max((width + GAP) // (head + least + GAP), 1)
        if height is not None and columns * height < len(self._slots):
            columns = min(-(-len(self._slots) // max(height, 1)), most)
        self.rows = -(-len(self._slots) // columns)
        columns = -(-len(self._slots) // self.rows)
        self._room = max(min(longest, (width + GAP) // columns - GAP - head), least)
        self.width = columns * (head + self._room + GAP) - GAP

    @property
    def _slots(self) -> range:
        return range(len(self._graph.names))

    def lines(self, faces: Sequence[Face], width: int) -> list[list[Run]]:
        """Node after node down the columns."""
        return [self._line([*self._slots[row :: self.rows]], faces) for row in range(self.rows)]

    def _line(self, slots: list[int], faces: Sequence[Face]) -> list[Run]:
        runs = [run for slot in slots for run in self._node(slot, faces[slot])]
        return [*runs[:-1], (runs[-1][0].rstrip(), runs[-1][1])]

    def _node(self, slot: int, face: Face) -> list[Run]:
        symbol, look = face
        colour = colour_under(self._symbols, face)
        value = (OPEN if symbol is None else symbol).center(self._value)
        joint = JOINT if self._graph.links[slot] else ""
        room = self._room + len(JOINT) - len(joint)
        neighbours = set_cell_size(self._neighbours(slot, self._room), room) + " " * GAP
        name = set_cell_size(self._graph.names[slot], self._name) + " "
        return [(name, CLUE), (value, look + (ON + colour if colour else "")), (joint, FRAME), (neighbours, CLUE)]

    def _tail(self, slot: int) -> int:
        return cell_len(self._between.join(self._words(slot)))

    def _words(self, slot: int) -> list[str]:
        links = self._graph.links[slot].items()
        return [("" if sign == EDGE else sign) + self._graph.names[other] for other, sign in links]

    def _neighbours(self, slot: int, room: int) -> str:
        """As many as there is room for, and how many more there are."""
        words = self._words(slot)
        for kept in range(len(words), 0, -1):
            left = f" +{len(words) - kept}" if kept < len(words) else ""
            text = self._between.join(words[:kept]) + left
            if cell_len(text) <= room:
                return text
        return f"+{len(words)}" if words else ""
