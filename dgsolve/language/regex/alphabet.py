"""The characters that a pattern tells apart, as few letters as there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dgsolve.language.code_points import CodePoints


def letters(sets: Sequence[CodePoints]) -> tuple[list[CodePoints], list[tuple[int, ...]]]:
    """Disjoint sets of characters (the letters), and of which of them each given set is made."""
    changes: defaultdict[int, int] = defaultdict(int)  # bit k: here set k begins or ends
    for number, characters in enumerate(sets):
        for low, high in characters.ranges:
            changes[low] ^= 1 << number
            changes[high + 1] ^= 1 << number
    held: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    inside, start = 0, 0
    for place in sorted(changes):
        if inside:
            held[inside].append((start, place - 1))
        inside, start = inside ^ changes[place], place
    made: list[list[int]] = [[] for _ in sets]
    for letter, bits in enumerate(held):
        while bits:
            made[bits.bit_length() - 1].append(letter)
            bits ^= 1 << (bits.bit_length() - 1)
    return [CodePoints.between(ranges) for ranges in held.values()], [tuple(numbers) for numbers in made]
