"""How single figures are written in tables."""

from __future__ import annotations

from collections.abc import Iterable

NONE = "–"


def line(cells: Iterable[str]) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Text that may stand in a cell."""
    return text.replace("|", "\\|")


def number(value: float | None, decimals: int) -> str:
    """With so many decimals."""
    return NONE if value is None else f"{value:.{decimals}f}"


def speed(value: float | None) -> str:
    """With three digits."""
    if value is None:
        return NONE
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
