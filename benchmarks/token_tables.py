"""How long automata over bytes take to become automata over tokens, and how large they are.

python benchmarks/token_tables.py TOKENIZER [--repeats N]     a tokenizer's folder, or its tokenizer.json
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from vocabularies import vocabulary_at

from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import byte_set, concat, literal, network, optional, repeat, star, union
from dgsolve.language.token_table import compile_tokens, min_tokens


def character() -> Acceptor:
    """One character inside a JSON string."""
    rest = byte_set(range(0x80, 0xC0))
    plain = byte_set(set(range(0x20, 0x80)) - {0x22, 0x5C})
    return union(
        plain,
        concat(literal(b"\\"), byte_set(b'"\\bfnrt')),
        concat(literal(b"\\u00"), byte_set(b"01"), byte_set(b"0123456789abcdef")),
        concat(byte_set(range(0xC2, 0xE0)), rest),
        concat(literal(b"\xe0"), byte_set(range(0xA0, 0xC0)), rest),
        concat(byte_set([*range(0xE1, 0xED), 0xEE, 0xEF]), rest, rest),
        concat(literal(b"\xed"), byte_set(range(0x80, 0xA0)), rest),
        concat(literal(b"\xf0"), byte_set(range(0x90, 0xC0)), rest, rest),
        concat(byte_set(range(0xF1, 0xF4)), rest, rest, rest),
        concat(literal(b"\xf4"), byte_set(range(0x80, 0x90)), rest, rest),
    )


def string(most: int | None = None) -> Acceptor:
    return concat(literal(b'"'), repeat(character(), 0, most), literal(b'"'))


def number() -> Acceptor:
    digits = star(byte_set(b"0123456789"))
    whole = union(literal(b"0"), concat(byte_set(b"123456789"), digits))
    return concat(optional(literal(b"-")), whole, optional(concat(literal(b"."), digits, byte_set(b"123456789"))))


def record(fields: int, most: int | None = None) -> Acceptor:
    """An object of so many fields, in turn a string (of at most `most` characters), a number and a choice."""
    kinds = [string(most), number(), union(*(literal(word) for word in (b'"open"', b'"closed"', b'"unknown"')))]
    names = ("name", "amount", "state", "street", "count", "mode", "comment", "total", "kind")
    parts, space = [literal(b"{")], optional(literal(b" "))
    for k in range(fields):
        name = names[k % len(names)] + (str(k // len(names)) if k >= len(names) else "")
        parts += [concat(literal(b","), space)] if k else []
        parts += [literal(f'"{name}":'.encode()), space, kinds[k % 3]]
    return concat(*parts, literal(b"}"))


def anything(depth: int) -> Acceptor:
    """Any JSON value, so deeply nested at most."""
    value = union(string(), number(), *(literal(word) for word in (b"true", b"false", b"null")))
    comma, space = concat(literal(b","), optional(literal(b" "))), optional(literal(b" "))
    for _ in range(depth):
        member = concat(string(), literal(b":"), space, value)
        value = union(value, _listed(b"[", value, comma, b"]"), _listed(b"{", member, comma, b"}"))
    return value


def _listed(opening: bytes, item: Acceptor, comma: Acceptor, closing: bytes) -> Acceptor:
    edges = [(0, 1, literal(opening)), (1, 2, item), (2, 3, comma), (3, 2, item)]
    return network([*edges, (1, 4, literal(closing)), (2, 4, literal(closing))], 0, [4])


CASES: dict[str, Callable[[], Acceptor]] = {
    "string": string,
    "string, maxLength 200": lambda: string(200),
    "object of 3 fields": lambda: record(3),
    "object of 30 fields": lambda: record(30),
    "object of 30 fields, maxLength 40": lambda: record(30, 40),
    "any JSON, depth 3": lambda: anything(3),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    vocabulary = vocabulary_at(options.tokenizer)
    began = time.perf_counter()
    nodes = len(vocabulary.trie.parents)
    spent = time.perf_counter() - began
    print(f"{vocabulary.size:,} tokens, {nodes:,} trie nodes in {1000 * spent:.0f} ms (once a vocabulary)")
    print(f"{'language':<36}{'states':>8}{'classes':>9}{'transitions':>13}{'shortest':>10}{'ms':>8}{'CPU ms':>8}")
    for name, build in CASES.items():
        acceptor = build()
        walls, own = [], []  # a busy machine lengthens the first; the second is what the work itself takes
        for _ in range(options.repeats):
            began, worked = time.perf_counter(), time.process_time()
            table = compile_tokens(acceptor, vocabulary)
            walls.append(1000 * (time.perf_counter() - began))
            own.append(1000 * (time.process_time() - worked))
        sizes = f"{table.states:>8,}{table.class_count:>9,}{len(table.classes):>13,}{min_tokens(table):>10}"
        print(f"{name:<36}{sizes}{statistics.median(walls):>8.1f}{statistics.median(own):>8.1f}", flush=True)


if __name__ == "__main__":
    main()
