"""Writes sets of grids that no file of puzzles has: queens, quasigroups with holes, colourings of Mycielski's graphs.

python benchmarks/generate_grids.py runs/grids
dgsolve bench --grid runs/grids/*.jsonl --threads 1

Of each a file of JSON Lines. queens_N: boards on which up to a fifth of the queens of some solution stand.
quasigroup_15: Latin squares of order 15, 40% of the cells blank. mycielN: the graph, its nodes in another order each
time, and as many colours as it needs. Same --seed, same files.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from dgsolve.problems.grid import Grid
from dgsolve.train.grid_families.base import filled, square

Edge = tuple[int, int]


def queens(size: int, count: int, rng: Random) -> Iterator[dict[str, Any]]:
    for _ in range(count):
        rows = rng.sample(range(size), rng.randrange(size // 5 + 1))
        solution = solved(Grid.from_dict({"kind": "n_queens", "size": size}), rng, 0.3)
        givens = {f"row{row + 1}": solution[row] for row in sorted(rows)}
        yield {"kind": "n_queens", "size": size, "givens": givens}


def quasigroups(size: int, holes: float, count: int, rng: Random) -> Iterator[dict[str, Any]]:
    for _ in range(count):
        held = [str(number) for number in solved(square(size), rng, 0.1)]
        for slot in rng.sample(range(size * size), round(holes * size * size)):
            held[slot] = "."
        lines = (" ".join(held[first : first + size]) for first in range(0, size * size, size))
        yield {"kind": "latin", "size": size, "givens": "\n".join(lines)}


def solved(grid: Grid, rng: Random, share: float) -> tuple[int, ...]:
    """A random solution, numbers by slot."""
    while (found := filled(grid, rng, share)) is None:
        pass
    return found


def mycielski(number: int) -> list[Edge]:
    """The edges of mycielN, N = `number` (Mycielski 1955): no triangles, N + 1 colours needed. Nodes from 0."""
    edges, nodes = [(0, 1)], 2
    for _ in range(number - 1):
        twins = [(a, nodes + b) for edge in edges for a, b in (edge, edge[::-1])]
        edges += twins + [(nodes + node, 2 * nodes) for node in range(nodes)]
        nodes = 2 * nodes + 1
    return edges


def colourings(number: int, count: int, rng: Random) -> Iterator[dict[str, Any]]:
    edges = mycielski(number)
    nodes = max(map(max, edges)) + 1
    for _ in range(count):
        name = rng.sample(range(1, nodes + 1), nodes)
        pairs = [f"{name[a]} {name[b]}" for a, b in rng.sample(edges, len(edges))]
        yield {"kind": "coloring", "colours": number + 1, "edges": pairs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=20, help="grids of each set")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)

    def write(name: str, made: Iterator[dict[str, Any]]) -> None:
        lines = [json.dumps(record) + "\n" for record in made]
        (args.folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")

    for size in (8, 16, 32):
        write(f"queens_{size}", queens(size, args.count, Random(f"{args.seed} queens {size}")))
    write("quasigroup_15", quasigroups(15, 0.4, args.count, Random(f"{args.seed} quasigroup")))
    for number in (3, 4, 5):
        write(f"myciel{number}", colourings(number, args.count, Random(f"{args.seed} myciel {number}")))


if __name__ == "__main__":
    main()
