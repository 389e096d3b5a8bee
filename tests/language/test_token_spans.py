"""Slots of bytes, against going through all slots."""

import random

from dgsolve.language.token_spans import TokenSpans


def test_slots_are_those_that_touch_the_bytes():
    draw = random.Random(0)
    for _ in range(300):
        starts = [0]
        for _ in range(draw.randrange(6)):
            starts.append(starts[-1] + draw.randrange(1, 4))
        low = draw.randrange(starts[-1] + 2)
        high = low + draw.randrange(4)
        touched = [slot for slot in range(len(starts) - 1) if max(low, starts[slot]) < min(high, starts[slot + 1])]
        assert list(TokenSpans(starts).slots(low, high)) == touched, (starts, low, high)
