"""Depths against a search one transition at a time."""

import random

import numpy as np
import pytest

from dgsolve.language.token_graph import FAR, Graph


def depths(ways, starts, states):
    found = {state: 0 for state in starts}
    queue = list(found)
    for state in queue:
        for origin, _, target in ways:
            if origin == state and target not in found:
                found[target] = found[state] + 1
                queue.append(target)
    return [found.get(state, FAR) for state in range(states)]


@pytest.mark.parametrize("seed", range(30))
def test_depths_both_ways(seed):
    rng = random.Random(seed)
    states, classes = rng.randint(1, 12), rng.randint(1, 5)
    pairs = [(q, c) for c in range(classes) for q in range(states)]
    ways = [(q, c, rng.randrange(min(states, 3))) for q, c in pairs if rng.random() < rng.choice([0.1, 0.6])]
    ways.sort(key=lambda way: way[1])
    counts = np.bincount([way[1] for way in ways], minlength=classes) if ways else np.zeros(classes, int)
    graph = Graph.build(*(np.array([way[k] for way in ways], np.int32) for k in range(3)), states)
    direct = Graph.by_class(counts, *(np.array([way[k] for way in ways], np.int32) for k in (0, 2)), states)
    assert [part.tolist() for part in direct] == [part.tolist() for part in graph]
    starts = np.array([rng.random() < 0.3 for _ in range(states)])
    named = np.flatnonzero(starts).tolist()
    assert graph.depths(starts).tolist() == depths(ways, named, states)
    back = [(target, c, origin) for origin, c, target in ways]
    assert graph.reversed.depths(starts).tolist() == depths(back, named, states)
