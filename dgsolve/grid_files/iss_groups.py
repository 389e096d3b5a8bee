"""Groups of constraints of the Interactive Sudoku Solver, up to End: Or, And, Replicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.grid_files.alternatives import either, shared
from dgsolve.grid_files.iss_board import Board
from dgsolve.grid_files.iss_items import Item
from dgsolve.grid_files.iss_pairs import bits_of
from dgsolve.grid_files.machines import NothingFitsError
from dgsolve.rules import Rule, rule_kinds
from dgsolve.rules.table import Table

Read = Callable[[Board, Item], None]


def read_group(board: Board, item: Item, read: Read) -> None:
    """Ask of the board what the group says; `read` does so for one of its constraints."""
    if item.name != "Replicate" and item.arguments:
        raise PuzzleError("this takes no arguments")
    if item.name == "Or":
        _or(board, item, read)
    elif item.name == "And":
        _all_of(board, item, read)
    else:
        for down, right in _moves(board, item.arguments):
            _all_of(board, item, read, down, right)


def _all_of(board: Board, item: Item, read: Read, down: int = 0, right: int = 0) -> None:
    """What is asked in a group is no mark of the whole grid."""
    part = board.part(down, right)
    for inner in item.inside:
        read(part, inner)
    board.merge(part)


def _or(board: Board, item: Item, read: Read) -> None:
    """One at least of its constraints is kept; what all of them say is said beside them."""
    parts: list[Board] = []
    impossible = NothingFitsError("there is no constraint in it")
    for inner in item.inside:
        _refuse_several(inner)
        part = board.part()
        try:
            read(part, inner)
        except NothingFitsError as error:
            impossible = error
        else:
            parts.append(part)
    if not parts:
        raise impossible
    if len(parts) == 1:
        board.merge(parts[0])
        return
    common, rest = shared([list(_rules(part)) for part in parts])
    for rule in common:
        board.add(rule.kind, rule.cells, **rule.written(int))
    if all(rest):
        cells, found = either(rest, board.values)
        board.add("regular", cells, **found)


def _refuse_several(item: Item) -> None:
    """There each clue of a line, each value and each line of cells would be an alternative of its own."""
    clues = item.name in ("Skyscraper", "HiddenSkyscraper", "NumberedRoom", "XSum") and all(item.arguments[1:3])
    values = item.name in ("", "Given") and len(item.arguments) > 1
    lines = item.name in ("NFA", "Regex", "Pair", "PairX", "Binary", "BinaryX") and (
        "" in item.arguments or sum(text.startswith("_") for text in item.arguments[1:]) > 1
    )
    if (clues and len(item.arguments) > 2) or values or lines:
        raise PuzzleError(f"{item.name or 'a value'} says several things at once", hint="Write each on its own.")


def _rules(part: Board) -> Iterator[Rule]:
    """What has been asked of a part, as rules about numbers of cells."""
    number = {value: value for value in part.values}
    try:
        for cell, held in part.domains.items():
            yield Table((cell,), tuple((value,) for value in sorted(held)))
        for written, each in part.rules:
            said = {key: told for key, told in written.items() if key != "type"}
            for cells in each:
                yield rule_kinds()[written["type"]].build(tuple(cells), said, number)
    except UsageError as error:
        raise PuzzleError(error.message, hint=error.hint) from error


def _moves(board: Board, arguments: list[str]) -> Iterator[tuple[int, int]]:
    """From the first cell of the grid to each that is named: six bits a character, the lowest first, one a cell."""
    if len(arguments) != 1 or not arguments[0]:
        raise PuzzleError("this takes the cells to which R1C1 is moved, encoded")
    cells = [cell for cell, bit in enumerate(bits_of(arguments[0])) if bit]
    if not cells or cells[-1] >= board.rows * board.cols:
        raise PuzzleError("its cells are none of this grid")
    yield from (board.place(cell) for cell in cells)
