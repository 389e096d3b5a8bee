"""How probable other texts were, under the proposals by which one was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dgsolve.constraints.canvas_sums import CanvasSums, Layouts
from dgsolve.constraints.indexed_table import FREE, IndexedTable
from dgsolve.constraints.token_chain import TokenChain
from dgsolve.constraints.token_lattice import StepCache

if TYPE_CHECKING:
    from dgsolve.constraints.base import Window
    from dgsolve.language.token_table import TokenTable


def log_weight(
    window: Window, table: TokenTable, first: int = 0, budget: int | None = None, values: Sequence[int] = ()
) -> float:
    """log Z of the texts of `table` that begin in slot `first`, over the slots of the window; -inf where none fits.

    budget: slots of the canvas in which the text must be whole; all that are known of where None. values: the tokens
    of the canvas; what of the text stands before the window is taken as it is.
    """
    indexed, begin, state = IndexedTable(table), max(first, window.first), int(table.start)
    for token in values[first:begin]:
        after = indexed.step(state, token)
        if after is None:
            return -np.inf
        state = after
    logits, pinned = window.logits[begin - window.first :], window.pinned[begin - window.first :]
    classes = np.where(pinned >= 0, indexed.token_class[pinned], FREE).astype(np.int64)
    completable = indexed.completable(classes.tobytes(), None if budget is None else budget - begin)
    if not completable[0][state]:
        return -np.inf
    steps = StepCache(indexed).lattice(state, classes, len(logits), completable)
    return TokenChain(steps, CanvasSums(Layouts(indexed), steps, pinned[: len(logits)], logits).bundle_sums).log_total
