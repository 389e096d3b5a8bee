"""Bad hyperparameters are refused where they are written."""

import dataclasses

import numpy as np
import pytest

from dgsolve.errors import UsageError
from dgsolve.sampling.settings import Sampling

NAMES = ("max_denoising_steps", "attempts", "stable_steps", "suppose_slots", "suppose_more", "patience", "scout_steps")


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_whole_numbers_from_one_on(name):
    assert getattr(Sampling(**{name: 1}), name) == 1
    assert type(getattr(Sampling(**{name: np.int64(3)}), name)) is int
    for wrong in (0, -1, 1.5, float("nan"), "8", True, 10**9):
        with pytest.raises(UsageError, match=rf"Sampling\({name}=.*\): write a whole number from 1 to"):
            Sampling(**{name: wrong})


@pytest.mark.parametrize("name", ["t_max", "t_min", "entropy_bound", "stop_entropy"])
@pytest.mark.parametrize("wrong", [-0.1, float("nan"), float("inf"), "warm", True])
def test_amounts_are_finite_numbers(name, wrong):
    with pytest.raises(UsageError, match=rf"Sampling\({name}=.*\): write a number, 0 or more"):
        Sampling(**{name: wrong})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"t_min": 0.0}, r"Sampling\(t_min=0.0\): write a temperature of 0.005 or more"),
        ({"t_max": 1e-4, "t_min": 1e-4}, r"Sampling\(t_max=0.0001\): write a temperature of 0.005 or more"),
        ({"t_max": 0.3}, r"Sampling\(t_max=0.3, t_min=0.4\)"),
        ({"renoise": "some"}, 'write "all", "rejected", "draft" or "none"'),
        ({"confidence": 1.0}, "between 0 and 1, or None"),
        ({"confidence": 0.0}, "between 0 and 1, or None"),
        ({"confidence": True}, "between 0 and 1, or None"),
        ({"confidence": "high"}, r"confidence='high'\): write a probability"),
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


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Sampling) if field.type == "bool"])
def test_switches_are_true_or_false(name):
    for wrong in ("false", 1, None):
        with pytest.raises(UsageError, match=rf"Sampling\({name}=.*\): write True or False"):
            Sampling(**{name: wrong})


def test_a_low_temperature_says_which_other_one_it_needs():
    with pytest.raises(UsageError) as caught:
        Sampling(t_max=0.2)
    assert caught.value.hint == "Give t_min= too, 0.2 or less."


@pytest.mark.parametrize("name", ["t_max", "t_min", "entropy_bound", "stop_entropy"])
def test_amounts_of_numpy_are_numbers(name):
    assert type(getattr(Sampling(**{"t_max": 0.5, name: np.float32(0.5)}), name)) is float
