"""The names of how things look: slots given, settled, faulty or unsure, and what is drawn around them."""

from __future__ import annotations

GIVEN, SETTLED, FORCED, FAULT = "given", "settled", "forced", "fault"
FRAME, CLUE = "frame", "clue"
TINTED = "+tinted"  # after the look of a cell that lies on a diagonal or in a window

Run = tuple[str, str]  # words, and the name of their look
Face = tuple[str | None, str]  # what a slot holds, None while it is open, and the name of its look
