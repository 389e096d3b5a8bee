"""A frame's figures in words, and bars of characters."""

from __future__ import annotations

from rich.text import Text

from dgsolve.solution import Frame


def settled(frame: Frame) -> int:
    """How many slots are locked or accepted."""
    return sum(locked or accepted for locked, accepted in zip(frame.locked, frame.accepted, strict=True))


def run_facts(frame: Frame) -> list[str]:
    """Where the loop stands: step, canvas, restarts, and speed once it is known."""
    facts = [f"step {frame.step:>2}", f"canvas {frame.canvas + 1} of {frame.canvases}", f"restarts {frame.restarts}"]
    if frame.seconds > 0 and frame.step > 0:
        facts.append(f"{frame.step / frame.seconds:.1f} steps/s")
    return facts


def draft_facts(frame: Frame) -> list[str]:
    """What the draft is worth: mean entropy of the open slots, accepted and faulty ones."""
    open_slots = [slot for slot, locked in enumerate(frame.locked) if not locked]
    accepted = sum(frame.accepted[slot] for slot in open_slots)
    return [
        f"mean entropy {frame.mean_entropy:.3f}",
        f"accepted {accepted} of {len(open_slots)}",
        f"faulty {sum(frame.faulty)}",
    ]


def settled_fact(frame: Frame) -> str:
    """How much of the canvas is settled."""
    return f"{settled(frame)} of {len(frame.values)} settled"


def bar(share: float, width: int) -> Text:
    """A bar of `width` characters, full up to `share` (0 to 1)."""
    full = min(max(int(share * width + 0.5), 0), width)
    return Text.assemble(("━" * full, "bold"), ("─" * (width - full), "dim"))


def in_ascii(text: Text) -> Text:
    """The same lines and styles for terminals that cannot show more than ASCII."""
    text.plain = text.plain.translate(_ASCII)
    return text


_ASCII = str.maketrans("┌┬┐├┼┤└┴┘─━│·■", "+++++++++-#|,#")
