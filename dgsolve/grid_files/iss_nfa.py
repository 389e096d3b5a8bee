"""State machines of the Interactive Sudoku Solver, which read the values along lines of cells."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.iss_board import Board, Constraint
from dgsolve.grid_files.machines import machine
from dgsolve.shortened import shown

States = frozenset[int]


class _Machine(NamedTuple):
    start: States
    accepting: States
    moves: dict[tuple[int, int], set[int]]  # (state, place of a value) -> states


class _Bits:
    """The bits of a key in URL-safe Base64, the highest of each byte first."""

    def __init__(self, key: str) -> None:
        held = urlsafe_b64decode(key + "=" * (-len(key) % 4))
        self.left = "".join(f"{byte:08b}" for byte in held)

    def take(self, count: int) -> int:
        if count > len(self.left):
            raise ValueError("it ends too early")
        taken, self.left = self.left[:count], self.left[count:]
        return int(taken or "0", 2)


def _read(key: str, values: int) -> _Machine:
    """Raises ValueError for what is none.

    A header: form (2 bits), bits of a state less 1 (4), values less 1 (4), how many states it starts in and how many
    others accept, which of the first accept, and in form 0 the bits of a count (4). Then each state's moves: in form 0
    their count and pairs of value and state, in form 1 a mask of the values and a state for each. The states it starts
    in come first, then the others that accept.
    """
    bits = _Bits(key)
    form, width, count = bits.take(2), bits.take(4) + 1, bits.take(4) + 1
    if form > 1 or count > values:
        raise ValueError(f"it is of form {form} and of {count} values")
    starts, others = bits.take(width), bits.take(width)
    mask = bits.take(starts)
    accepting = {state for state in range(starts) if mask >> state & 1} | set(range(starts, starts + others))
    head = count if form else bits.take(4)
    moves: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    state = 0
    while head and len(bits.left) >= head:
        for value in _values(bits, form, bits.take(head), (count - 1).bit_length()):
            moves[state, value].add(bits.take(width))
        state += 1
    return _Machine(frozenset(range(starts)), frozenset(accepting), dict(moves))


def _values(bits: _Bits, form: int, told: int, width: int) -> Iterator[int]:
    """The places of the values of one state's moves, each before its target is taken."""
    if form:
        yield from (value for value in range(told.bit_length()) if told >> value & 1)
    else:
        yield from (bits.take(width) for _ in range(told))


def _nfa(board: Board, arguments: list[str]) -> None:
    try:
        read = _read(arguments[0], len(board.values))
    except ValueError as error:
        raise PuzzleError(f"{shown(arguments[0])} is no state machine: {error}") from error

    def step(states: States, place: int, value: int) -> States | None:
        found = (read.moves.get((state, value - board.values[0]), ()) for state in states)
        return frozenset().union(*found) or None

    for line in board.lines(arguments[1:]):
        found = machine(board.values, len(line), read.start, step, lambda states: bool(states & read.accepting))
        board.add("regular", line, **found)


NFA: dict[str, Constraint] = {"NFA": _nfa}
