"""Numbers of things in sentences."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """1 cell, 2 cells; `many` where it is not the singular with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
