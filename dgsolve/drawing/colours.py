"""Values that are names of colours, and what they look like."""

from __future__ import annotations

from functools import lru_cache

from dgsolve.drawing.looks import GIVEN, SETTLED, Face

_COLOURS = {
    "red": "#e05252", "orange": "#f0a040", "yellow": "#f2d94e", "green": "#5fb760", "blue": "#5b8fe6",
    "purple": "#a36bd6", "violet": "#a36bd6", "pink": "#f29cc0", "magenta": "#d65bc0", "brown": "#a9794f",
    "cyan": "#5cc9d6", "turquoise": "#5cc9d6", "teal": "#3a9c9c", "lime": "#a8d948", "olive": "#9a9a45",
    "gold": "#e6c04a", "black": "#333333", "white": "#f4f4f4", "grey": "#9a9a9a", "gray": "#9a9a9a",
}  # fmt: skip


@lru_cache(maxsize=64)
def colours_of(symbols: tuple[str, ...]) -> dict[str, str]:
    """The colour of each symbol, #rrggbb; none at all unless every symbol names one: an orange may be a fruit."""
    found = {symbol: _COLOURS[symbol.lower()] for symbol in symbols if symbol.lower() in _COLOURS}
    return found if len(found) == len(symbols) else {}


def colour_under(symbols: tuple[str, ...], face: Face) -> str:
    """What a slot is painted with, "" for nothing: unsure and faulty ones have the colours of their looks alone."""
    symbol, look = face
    return colours_of(symbols).get(symbol or "", "") if look in (GIVEN, SETTLED) else ""
