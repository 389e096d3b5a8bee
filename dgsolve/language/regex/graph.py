"""A pattern as a graph: nodes that read one character, moves that read none, and conditions on moves.

Source: K. Thompson, "Regular expression search algorithm", 1968; the conditions are look-around.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dgsolve.language.acceptor import TooLargeError
from dgsolve.language.code_points import ANY, CodePoints
from dgsolve.language.regex.syntax import Chars, Choice, Look, Node, Repeat, Sequence

MAX_NODES = 100_000
DONE = 0  # the node at which the pattern, or what a look-ahead looks for, has been found


@dataclass(frozen=True)
class Guard:
    """A condition on a move: that what node `place` leads to comes next; where `negative`, that it does not.

    With `behind`: that what number `place` of `Graph.behind` looks for ends here.
    """

    place: int
    behind: bool
    negative: bool


@dataclass
class Graph:
    """Nodes are numbered; `reads[n]` is the set of which node n reads a character, None where it only moves on.

    `longest`: no text has more characters, so that repeats with a higher bound are without end. Raises TooLargeError.
    """

    longest: int | None = None
    reads: list[CodePoints | None] = field(default_factory=lambda: [None])
    targets: list[int] = field(default_factory=lambda: [DONE])  # where a node that reads goes to
    moves: list[list[int]] = field(default_factory=lambda: [[]])
    guarded: dict[int, tuple[Guard, int]] = field(default_factory=dict)  # a move on a condition, and where to
    behind: list[tuple[int, int]] = field(default_factory=list)  # (first node, last node), inner ones first
    looks: dict[Look, Guard] = field(default_factory=dict)

    def node(self, reads: CodePoints | None = None, target: int = DONE) -> int:
        if len(self.reads) >= MAX_NODES:
            raise TooLargeError(len(self.reads))
        self.reads.append(reads)
        self.targets.append(target)
        self.moves.append([])
        return len(self.reads) - 1

    def add(self, tree: Node, after: int) -> int:
        """Adds a tree that goes on to node `after`; the node it starts from."""
        match tree:
            case Chars(characters):
                return self.node(characters, after)
            case Sequence(parts):
                for part in reversed(parts):
                    after = self.add(part, after)
                return after
            case Choice(options):
                start = self.node()
                self.moves[start] = [self.add(option, after) for option in options]
                return start
            case Repeat(body, low, high):
                return self._repeat(body, low, high, after)
            case Look():
                start = self.node()
                self.guarded[start] = self._guard(tree), after
                return start

    def _repeat(self, body: Node, low: int, high: int | None, after: int) -> int:
        if high is None or (self.longest is not None and high > self.longest):
            start = self.node()
            self.moves[start] = [self.add(body, start), after]
        else:
            start = after
            for _ in range(high - low):
                more = self.add(body, start)
                start = self.node()
                self.moves[start] = [more, after]
        for _ in range(low):
            start = self.add(body, start)
        return start

    def _guard(self, look: Look) -> Guard:
        if look not in self.looks:
            if look.behind:
                last = self.node()
                start = self.add(Repeat(Chars(ANY), 0, None), self.add(look.body, last))
                self.behind.append((start, last))
                place = len(self.behind) - 1
            else:
                place = self.add(look.body, DONE)
            self.looks[look] = Guard(place, look.behind, look.negative)
        return self.looks[look]
