"""Texts and values as messages show them: cut where they are long."""

from __future__ import annotations

from typing import Any


def shortened(text: str, most: int) -> str:
    """The text, at most `most` characters of it.

    >>> shortened("a text that is long", 9)
    'a text...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def shown(value: Any, most: int = 60) -> str:
    """A value as Python writes it, shortened; its type alone, such as <int>, where Python cannot."""
    try:
        text = repr(value)
    except Exception:  # of a class with a __repr__ of its own, or an integer of too many digits
        return f"<{type(value).__name__}>"
    return shortened(text, most)
