"""Numbers as people write amounts: 12.50, where the canonical decimal is 12.5."""

from __future__ import annotations

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import byte_set, concat, intersect, literal, optional, repeat, union

DIGIT, POINT = byte_set(b"0123456789"), literal(b".")
WHOLE = concat(optional(literal(b"-")), repeat(DIGIT, 1))


def with_zeros(canonical: Acceptor, most: int) -> Acceptor:
    """These numbers, canonical decimals, and each with zeros behind its fraction, which has at most `most` digits then.

    A model that copies 12.50 can end there. Without it the zero, once copied, would have to be followed by a digit
    that nobody wrote. A value has several texts then, all of them in or all out: unions and intersections mean the
    same as of values, but taking texts from others does not.
    """
    if not most:
        return canonical
    zeros = repeat(literal(b"0"), 1, most)
    ended = concat(intersect(canonical, WHOLE), POINT, zeros)
    longer = concat(intersect(canonical, concat(WHOLE, POINT, repeat(DIGIT, 1))), zeros)
    return union(canonical, intersect(union(ended, longer), concat(WHOLE, POINT, repeat(DIGIT, 1, most))))
