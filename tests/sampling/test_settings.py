"""Bad hyperparameters are refused where they are written."""

import dataclasses

import pytest

from dgsolve.errors import UsageError
from dgsolve.sampling.settings import Sampling

COUNTS = ("max_denoising_steps", "attempts", "stable_steps", "suppose_slots", "patience", "scout_steps")


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_at_least_one(name):
    assert getattr(Sampling(**{name: 1}), name) == 1
    with pytest.raises(UsageError, match=rf"Sampling\({name}=0\): it must be at least 1"):
        Sampling(**{name: 0})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"t_min": 0.0}, "needs 0 < t_min <= t_max"),
        ({"t_max": 0.3}, r"Sampling\(t_max=0.3, t_min=0.4\)"),
        ({"renoise": "some"}, 'write "all", "rejected" or "none"'),
        ({"confidence": 1.0}, "between 0 and 1, or None"),
        ({"confidence": 0.0}, "between 0 and 1, or None"),
    ],
)
def test_combinations_that_mean_nothing(fields, said):
    with pytest.raises(UsageError, match=said):
        Sampling(**fields)


def test_names_are_the_fields_and_the_recommended_values_are_the_defaults():
    assert Sampling.names() == tuple(field.name for field in dataclasses.fields(Sampling))
    default = Sampling()
    assert (default.max_denoising_steps, default.entropy_bound, default.stop_entropy) == (48, 0.1, 0.005)
    assert (default.t_max, default.t_min) == (0.8, 0.4)
