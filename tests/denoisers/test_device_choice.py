"""Devices and numbers that a person writes."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from dgsolve.denoisers import device_choice
from dgsolve.errors import ModelUnavailableError, UsageError


def here(monkeypatch: pytest.MonkeyPatch, cuda: int) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


def test_devices_that_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    here(monkeypatch, 0)
    assert [device_choice.device(name) for name in ("auto", "cpu")] == ["cpu", "cpu"]
    here(monkeypatch, 2)
    assert [device_choice.device(name) for name in ("auto", "cuda", "cuda:1")] == ["cuda", "cuda", "cuda:1"]


@pytest.mark.parametrize(
    ("cuda", "name", "said"),
    [(0, "cuda", "sees no such device"), (0, "mps", "sees no such device"), (2, "cuda:9", "sees 2 of them, from 0"),
     (1, "cuda:1", "sees cuda:0 alone")],
)  # fmt: skip
def test_devices_that_are_not_here(monkeypatch: pytest.MonkeyPatch, cuda: int, name: str, said: str) -> None:
    here(monkeypatch, cuda)
    with pytest.raises(ModelUnavailableError, match=said) as caught:
        device_choice.device(name)
    assert repr(name) in str(caught.value) and "dgsolve env" in caught.value.hint


@pytest.mark.parametrize("name", ["tpu", "", "meta", "cuda:x", 3, None])
def test_what_is_no_device(name: Any) -> None:
    with pytest.raises(UsageError, match="there is no such device") as caught:
        device_choice.device(name)
    assert "cuda:1" in caught.value.hint


def test_numbers_by_name() -> None:
    assert device_choice.dtype(None) is None
    assert device_choice.dtype("bfloat16") is device_choice.dtype(torch.bfloat16) is torch.bfloat16
    for wanted in ("bf16", "float99", "int8", torch.int8, "nn", "float8_e4m3fn", 16):
        with pytest.raises(UsageError, match="cannot be such numbers"):
            device_choice.dtype(wanted)  # type: ignore[arg-type]
