"""The text that an automaton leaves no choice about."""

from __future__ import annotations

from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.errors import UsageError


def forced_text(table: IndexedTable, state: int) -> bytes:
    """The bytes that every text starts with from `state` on.

    It goes byte by byte over the tokens of one byte, so it ends early where the vocabulary lacks one.
    """
    if table.pieces is None:
        raise UsageError("the tokens' bytes are not known", hint="Give `pieces` to TokenAutomaton.begin.")
    text = bytearray()
    while (found := _only_byte(table, state)) is not None:
        text += found[0]
        state = found[1]
    return bytes(text)


def _only_byte(table: IndexedTable, state: int) -> tuple[bytes, int] | None:
    """The byte that all tokens from `state` start with, and the state behind it."""
    assert table.pieces is not None
    first: bytes | None = None
    after = None
    for edge in range(table.offsets[state], table.offsets[state + 1]):
        for token in table.members(int(table.classes[edge])).tolist():
            piece = table.pieces[token]
            if not piece or (first is not None and piece[:1] != first):
                return None
            first = piece[:1]
            if len(piece) == 1:
                after = int(table.targets[edge])
    return None if first is None or after is None else (first, after)
