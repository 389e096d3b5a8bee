"""A drawing for terminals that cannot show more than ASCII."""

from __future__ import annotations

from dgsolve.drawing.lattice import JUNCTIONS

_TABLE = dict.fromkeys(map(ord, JUNCTIONS.strip()), "+") | str.maketrans(
    "─│━┃╍┇∧∨≤≥·█▒×−÷○≠↘↙↗↖♛▐▌", "-|=#.:^v{}.#%*-/o!\\//\\Q[]"
)


def in_ascii(words: str) -> str:
    """The same drawing, character by character; what is none of its signs stays."""
    return words.translate(_TABLE)
