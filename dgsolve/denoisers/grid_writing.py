"""How a grid stands in a canvas of a language model: as one line of symbols, or a line for each of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dgsolve.denoisers.written_canvas import WrittenCanvas
from dgsolve.drawing.places import places_of
from dgsolve.errors import UsageError
from dgsolve.problem import GridLayout

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from dgsolve.language.vocabulary import TextVocabulary


def written(
    grid: GridLayout, symbols: Sequence[int], text: TextVocabulary, length: int, line_break: int | None = None
) -> WrittenCanvas:
    """The grid's slots hold one of the tokens `symbols`; `line_break` comes after each row but the last.

    Then the turn ends, and padding fills the canvas of `length` slots. Raises UsageError where they are too few.
    """
    layout: list[int | None] = []
    for before, (row, _) in pairwise([(0, 0), *places_of(grid)]):
        layout += [line_break] * (row - before[0]) if line_break is not None else []
        layout.append(None)
    if len(layout) >= length:
        message = f"a {grid.rows}x{grid.cols} grid takes {len(layout) + 1} slots with its end, the model has {length}"
        raise UsageError(message, hint="Take a model with a longer canvas; the relational one takes any.")
    return WrittenCanvas.of_symbols(symbols, layout, length, [text.turn_end, text.pad_id])


def single_token(symbol: str, tokenizer: PreTrainedTokenizerBase, text: TextVocabulary) -> int:
    """The token that writes a symbol; raises UsageError where it takes several."""
    token = tokenizer.convert_tokens_to_ids(symbol)
    if isinstance(token, int) and text.pieces[token] == symbol.encode():
        return token
    ids = text.encode(symbol.encode())
    if len(ids) != 1:
        raise UsageError(f"the model has no single token for {symbol!r}", hint="Write the grid with other symbols.")
    return ids[0]
