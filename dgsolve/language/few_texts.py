"""The texts of a language one by one, where it has few."""

from __future__ import annotations

from dgsolve.language.acceptor import Acceptor


def few_texts(acceptor: Acceptor, most: int) -> tuple[bytes, ...] | None:
    """All texts of the language, shortest first; None where there are more than `most`, or no end of them.

    >>> from dgsolve.language.algebra import strings
    >>> few_texts(strings([b"no", b"a"]), 2), few_texts(strings([b"no", b"a"]), 1)
    ((b'a', b'no'), None)
    """
    texts: list[bytes] = []
    level = [] if acceptor.empty else [(b"", 0)]
    for _ in range(len(acceptor)):  # a longer text would come by a state twice
        texts += [text for text, state in level if state in acceptor.finals]
        level = [
            (text + bytes([byte]), to)
            for text, state in level
            for low, high, to in acceptor.rows[state]
            for byte in range(low, high + 1)
        ]
        if len(texts) + len(level) > most:  # each one begun leads to a text of its own
            return None
        if not level:
            break
    return None if level else tuple(texts)
