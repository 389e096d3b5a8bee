"""Python looks for cycles after a pause as it did before."""

import gc

import pytest

from dgsolve.language.gc_pause import gc_paused


def test_an_error_ends_the_pause():
    with pytest.raises(KeyError), gc_paused():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()


def test_a_pause_within_another_ends_with_the_outer_one():
    with gc_paused():
        with gc_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
