"""Random token automata, and their posterior by going through all sequences."""

import itertools
from dataclasses import dataclass

import numpy as np
import torch

from dgsolve.language.token_table import TokenTable


def random_table(generator: np.random.Generator, states: int = 4, tokens: int = 6, classes: int = 4) -> TokenTable:
    """Some texts of one token or more, then an end token, then padding: the last two tokens of the vocabulary."""
    while True:
        token_class = generator.integers(-1, classes, tokens)
        token_class[: classes - 2] = range(classes - 2)
        token_class[token_class >= classes - 2] = -1
        token_class[-2:] = classes - 2, classes - 1
        moves = generator.integers(-1, states, (states, classes - 2))
        ends = generator.random(states) < 0.4
        rows = [{c: int(q) for c, q in enumerate(row) if q >= 0} for row in moves]
        for state in np.flatnonzero(ends):
            rows[state][classes - 2] = states
        rows.append({classes - 1: states})
        distance = distances(rows)
        if (distance < 99).all():
            return table(token_class, rows, distance)


def distances(rows: list[dict[int, int]]) -> np.ndarray:
    """Fewest steps from each state to the last one; 99 for none."""
    distance = np.full(len(rows), 99)
    distance[-1] = 0
    for _ in rows:
        for state, row in enumerate(rows[:-1]):
            distance[state] = min([distance[state], *(distance[target] + 1 for target in row.values())])
    return distance


def table(token_class, rows: list[dict[int, int]], distance: np.ndarray) -> TokenTable:
    """From the class and target of every transition, state by state; the last state is `end`."""
    edges = [sorted(row.items()) for row in rows]
    return TokenTable(
        np.asarray(token_class, dtype=np.int32),
        np.cumsum([0, *map(len, edges)]).astype(np.int32),
        np.array([c for row in edges for c, _ in row], dtype=np.int32),
        np.array([q for row in edges for _, q in row], dtype=np.int32),
        0,
        len(rows) - 1,
        distance.astype(np.int32),
    )


@dataclass
class Exhaustive:
    """All sequences over a window that fit, with their weight, as the seam defines it."""

    weights: dict[tuple[int, ...], float]
    log_z: float
    vocabulary: int

    @classmethod
    def of(cls, table: TokenTable, logits, state: int, left: int, pins: dict[int, int] | None = None):
        """logits [W][V] in float64; left: slots up to the end of the canvas; pins: token by slot."""
        width, vocabulary, pins = len(logits), len(logits[0]), pins or {}
        rows = [
            dict(zip(table.classes[a:b].tolist(), table.targets[a:b].tolist(), strict=True))
            for a, b in itertools.pairwise(table.offsets)
        ]
        steps = [{v: row[c] for v, c in enumerate(table.token_class.tolist()) if c in row} for row in rows]
        ways = {(): state}
        for slot in range(width):
            ways = {
                (*way, token): after
                for way, at in ways.items()
                for token, after in steps[at].items()
                if pins.get(slot, token) == token
            }
        can_end = [{len(rows) - 1}]
        for slot in range(left - 1, width - 1, -1):
            good = can_end[0]
            can_end.insert(0, {q for q, s in enumerate(steps)
                               if any(a in good and pins.get(slot, t) == t for t, a in s.items())})  # fmt: skip
        logs = {way: sum(logits[i][t] for i, t in enumerate(way)) for way, at in ways.items() if at in can_end[0]}
        top = max(logs.values(), default=0.0)
        weights = {way: float(np.exp(log - top)) for way, log in logs.items()}
        free = sum(float(np.logaddexp.reduce(row)) for row in logits)
        total = sum(weights.values())
        return cls({way: w / total for way, w in weights.items()}, top + float(np.log(total or 1)) - free, vocabulary)

    def marginals(self) -> np.ndarray:
        """[W, V]"""
        width = len(next(iter(self.weights)))
        found = np.zeros((width, self.vocabulary))
        for way, weight in self.weights.items():
            found[np.arange(width), list(way)] += weight
        return found


def plain_entropy(marginals: np.ndarray) -> np.ndarray:
    """[W]"""
    return -(marginals * np.log(np.where(marginals > 0, marginals, 1))).sum(1)


def as_lists(logits: torch.Tensor) -> list[list[float]]:
    """One canvas's logits in float64, bounded as the posterior bounds them."""
    return logits.double().clamp(-1e4, 1e4).tolist()
