"""A frame's figures in words, and bars of characters."""

from __future__ import annotations

from rich.text import Text

from dgsolve.solution import Frame


def shown(frame: Frame) -> int:
    """How many leading slots are drawn: those of the text written so far, else all."""
    pieces = frame.problem.pieces(frame.values)
    return len(frame.values) if pieces is None else len(pieces)


def settled(frame: Frame) -> int:
    """How many of the slots that are drawn are locked or accepted, and not faulty."""
    drawn = range(shown(frame))
    return sum((frame.locked[slot] or frame.accepted[slot]) and not frame.faulty[slot] for slot in drawn)


def settled_share(frame: Frame) -> float:
    """0 to 1, of the slots that are drawn."""
    return settled(frame) / max(shown(frame), 1)


def run_facts(frame: Frame) -> list[str]:
    """Where the loop stands: block, step, canvas, restarts, speed once it is known; for a text, tokens per step."""
    if frame.problem.pieces(frame.values) is not None:
        return _text_facts(frame)
    facts = [_step(frame, "step"), f"canvas {frame.canvas + 1} of {frame.canvases}", f"restarts {frame.restarts}"]
    if frame.seconds > 0 and frame.step > 0:
        facts.append(f"{frame.step / frame.seconds:.1f} steps/s")
    return facts


def _text_facts(frame: Frame) -> list[str]:
    blocks, each = frame.blocks, "pass" if frame.blocks is None else "step"
    facts = [_step(frame, each)]
    if blocks is not None and blocks.count > 1:
        facts.insert(0, f"block {len(blocks.steps)} of {blocks.count}")
        facts += [f"block {len(blocks.steps) - 1} took {blocks.steps[-2]}"] if len(blocks.steps) > 1 else []
    if frame.restarts:
        facts.append(f"attempt {frame.restarts + 1}")
    if frame.step:
        facts.append(f"{settled(frame) / frame.step:.1f} tokens settled per {each}")
    return facts


def _step(frame: Frame, each: str) -> str:
    """How many steps the block in work has taken, of at most how many, and whether it needed no more."""
    blocks = frame.blocks
    if blocks is None:
        return f"{each} {frame.step:>2}"
    taken = blocks.steps[-1]
    return f"settled after {taken} of {blocks.most} steps" if blocks.early else f"{each} {taken:>2} of {blocks.most}"


def draft_facts(frame: Frame) -> list[str]:
    """What the draft is worth: mean entropy and probability, how many of the slots drawn are accepted and faulty."""
    open_slots = [slot for slot in range(shown(frame)) if not frame.locked[slot]]
    accepted = sum(frame.accepted[slot] for slot in open_slots)
    return [
        f"mean entropy {frame.mean_entropy:.3f}",
        f"confidence {frame.confidence:.1%}",
        f"accepted {accepted} of {len(open_slots)}",
        f"faulty {sum(frame.faulty[: shown(frame)])}",
    ]


def settled_fact(frame: Frame) -> str:
    """How much of what is drawn is settled."""
    return f"{settled(frame)} of {shown(frame)} settled"


def bar(share: float, width: int) -> Text:
    """A bar of `width` characters, full up to `share` (0 to 1)."""
    full = min(max(int(share * width + 0.5), 0), width)
    return Text.assemble(("━" * full, "bold"), ("─" * (width - full), "dim"))


def in_ascii(text: Text) -> Text:
    """The same lines and styles for terminals that cannot show more than ASCII."""
    text.plain = text.plain.translate(_ASCII).encode("ascii", "replace").decode()
    return text


_ASCII = str.maketrans("┌┬┐├┼┤└┴┘─━│·■", "+++++++++-#|,#")
