"""How a slot looks, on terminals and in pictures: given, settled, faulty, or unsure in steps of probability."""

from __future__ import annotations

from collections.abc import Collection

from rich.style import Style

from dgsolve.solution import Frame

# Warm is unsure, cool is nearly sure. Every colour keeps a contrast of at least 3.3 on white and on black.
UNSURE = {
    "unsure0": (130, "#af5f00"),
    "unsure1": (136, "#af8700"),
    "unsure2": (64, "#5f8700"),
    "unsure3": (30, "#008787"),
    "unsure4": (32, "#0087d7"),
    "unsure5": (62, "#5f5fd7"),
}
FAULT_COLOR = "#d70000"
GIVEN, SETTLED, FAULT, FRAME = "given", "settled", "fault", "frame"

IN_COLOR = {
    GIVEN: Style(bold=True),
    SETTLED: Style(),
    FAULT: Style(bold=True, color="color(160)", reverse=True),
    FRAME: Style(color="color(243)"),
} | {look: Style(color=f"color({number})") for look, (number, _) in UNSURE.items()}

WITHOUT_COLOR = {
    GIVEN: Style(bold=True),
    SETTLED: Style(),
    FAULT: Style(reverse=True),
    FRAME: Style(dim=True),
} | {look: Style(dim=True) for look in UNSURE}


def look(frame: Frame, slot: int, givens: Collection[int]) -> str:
    """The name of a slot's look in this frame."""
    if frame.faulty[slot]:
        return FAULT
    if slot in givens:
        return GIVEN
    if frame.locked[slot] or frame.accepted[slot]:
        return SETTLED
    return f"unsure{min(int(frame.probability[slot] * len(UNSURE)), len(UNSURE) - 1)}"
