"""How a slot looks, on terminals and in pictures: given, settled, faulty, or unsure in steps of probability."""

from __future__ import annotations

from collections.abc import Collection

from rich.style import Style

from dgsolve.drawing.looks import CLUE, FAULT, FORCED, FRAME, GIVEN, SETTLED, Face, Run, base_of, beyond
from dgsolve.problem import GridLayout
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
FAULT_COLOR, FORCED_COLOR = "#d70000", "#767676"

IN_COLOR = {
    GIVEN: Style(bold=True),
    SETTLED: Style(),
    FORCED: Style(italic=True, color="color(243)"),
    FAULT: Style(bold=True, color="color(160)", reverse=True),
    FRAME: Style(color="color(243)"),
    CLUE: Style(italic=True),
} | {look: Style(color=f"color({number})") for look, (number, _) in UNSURE.items()}

WITHOUT_COLOR = {
    GIVEN: Style(bold=True),
    SETTLED: Style(),
    FORCED: Style(italic=True),
    FAULT: Style(reverse=True),
    FRAME: Style(dim=True),
    CLUE: Style(italic=True),
} | {look: Style(dim=True) for look in UNSURE}


def style(look: str, styles: dict[str, Style]) -> Style:
    """Of a run that a drawing of a grid holds."""
    return styles.get(base_of(look), Style()) + Style.parse(beyond(look))


def look(frame: Frame, slot: int, givens: Collection[int]) -> str:
    """The name of a slot's look in this frame."""
    if frame.faulty[slot]:
        return FAULT
    if slot in givens:
        return GIVEN
    if frame.locked[slot] or frame.accepted[slot]:
        return SETTLED
    return f"unsure{min(int(frame.probability[slot] * len(UNSURE)), len(UNSURE) - 1)}"


def faces(frame: Frame, layout: GridLayout) -> list[Face]:
    """What every slot of a grid holds in this frame, with its look."""
    return [(layout.symbols[value], look(frame, slot, layout.givens)) for slot, value in enumerate(frame.values)]


def text_looks(frame: Frame) -> list[str]:
    """The look of every slot of a text: as `look` says, but forced where the form leaves no choice."""
    looks = [look(frame, slot, ()) for slot in range(len(frame.values))]
    for slot, forced in enumerate(frame.problem.forced(frame.values)):
        if forced and not frame.faulty[slot]:
            looks[slot] = FORCED
    return looks


def legend(frame: Frame) -> list[Run]:
    """What the looks of the frame mean; `scale` says the rest."""
    is_text = frame.problem.pieces(frame.values) is not None
    first = ("forced by the form", FORCED) if is_text else ("given", GIVEN)
    return [first, (" · settled · ", SETTLED), ("faulty", FAULT)]


def scale(*, in_color: bool = True) -> list[Run]:
    """From unsure to sure; without colour all of these look alike."""
    if not in_color:
        return [("not settled", next(iter(UNSURE)))]
    return [("not settled: unsure ", SETTLED), *(("■", look) for look in UNSURE), (" sure", SETTLED)]
