"""The shortest text of an acceptor."""

import tracemalloc

from dgsolve.language.algebra import literal


def test_the_shortest_of_long_texts_takes_no_memory_for_each_of_its_beginnings():
    acceptor = literal(b"x" * 20_000)
    tracemalloc.start()
    shortest = acceptor.shortest
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert shortest == b"x" * 20_000 and peak < 20_000_000
