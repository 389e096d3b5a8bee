"""Sets of tokens: against sets of Python."""

import numpy as np
import pytest

from dgsolve.constraints.indexed_table import IndexedTable

from .small_tables import table


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_tokens_of_its_classes(seed):
    generator = np.random.default_rng(seed)
    sizes = generator.integers(0, generator.choice([3, 300]), 9)
    classes = generator.permutation(np.repeat(np.arange(-1, 8), sizes)).astype(np.int32)
    indexed = IndexedTable(table(classes.tolist(), [dict.fromkeys(range(8), 0)], np.zeros(1)))
    for count in (1, 2, 5, 8):
        chosen = np.sort(generator.choice(8, count, replace=False)).astype(np.int32)
        wanted = [token for token, number in enumerate(classes.tolist()) if number in chosen]
        found = indexed.token_set(chosen)
        assert found.ids.tolist() == wanted and found.ids.dtype == np.int32 and found.size == len(wanted)
        assert found.others.tolist() == sorted(set(range(len(classes))) - set(wanted))
        assert [token in found for token in range(len(classes))] == np.isin(np.arange(len(classes)), wanted).tolist()
        assert found.few == (16 * len(wanted) < len(classes)) and found.most == (2 * len(wanted) >= len(classes))
        places = [found.place(token) for token in wanted]
        assert places == (wanted if found.most else list(range(len(wanted))))
        assert indexed.token_set(chosen.copy()) is found
