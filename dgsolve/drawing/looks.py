"""The names of how things look: slots given, settled, faulty or unsure, and what is drawn around them."""

from __future__ import annotations

GIVEN, SETTLED, FORCED, FAULT = "given", "settled", "forced", "fault"
FRAME, CLUE = "frame", "clue"
TINTED = "+tinted"  # after the look of a cell that lies on a diagonal or in a window
ON = "+on "  # after a look, and before the colour #rrggbb that lies under it

Run = tuple[str, str]  # words, and the name of their look
Face = tuple[str | None, str]  # what a slot holds, None while it is open, and the name of its look


def base_of(look: str) -> str:
    """A look without what comes after it."""
    return look.partition("+")[0]


def beyond(look: str) -> str:
    """What comes after a look, as rich names styles: "underline", "#000000 on #e05252", or both."""
    underline = "underline" if TINTED in look else ""
    colour = look.partition(ON)[2]
    return f"{underline} {ink_on(colour)} on {colour}".strip() if colour else underline


def ink_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour #rrggbb."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else "#ffffff"
