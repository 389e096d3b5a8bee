"""Every kernel's ways to run: torch, and Triton interpreted on the CPU or compiled on a GPU."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
import torch

from dgsolve.kernels import optional_triton

NO_GPU = "needs a GPU, and TRITON_INTERPRET=0"


@dataclass(frozen=True)
class Way:
    """How an operation runs, and where its tensors must be."""

    suffix: str
    device: str

    def of(self, module: ModuleType, name: str = "") -> Any:
        """The function of a kernel's file that runs it so."""
        return getattr(module, f"_{name}by_{self.suffix}")


@pytest.fixture(params=["torch", "interpreted", "gpu"])
def way(request) -> Way:
    if request.param == "torch":
        return Way("torch", "cpu")
    pytest.importorskip("triton", reason="Triton is not installed here; it has wheels for Linux alone")
    interpreted = os.environ["TRITON_INTERPRET"] == "1"
    if request.param == "interpreted":
        if not interpreted:
            pytest.skip("TRITON_INTERPRET=0: kernels are compiled")
        return Way("triton", "cpu")
    if interpreted or not torch.cuda.is_available():
        pytest.skip(NO_GPU)
    return Way("triton", "cuda")


@dataclass(frozen=True)
class Engine:
    """Where the engine finds its tensors, and whether it takes the kernels for them."""

    device: str

    @contextmanager
    def kernels(self) -> Iterator[None]:
        """Meanwhile the kernels are taken, also for tensors on a CPU."""
        with patch.object(optional_triton, "on_triton", lambda tensor: tensor.is_cuda or self.device == "cpu"):
            yield


@pytest.fixture(params=["interpreted", "gpu"])
def engine(request) -> Engine:
    pytest.importorskip("triton", reason="Triton is not installed here; it has wheels for Linux alone")
    interpreted = os.environ["TRITON_INTERPRET"] == "1"
    if request.param == "gpu":
        if interpreted or not torch.cuda.is_available():
            pytest.skip(NO_GPU)
        return Engine("cuda")
    if not interpreted:
        pytest.skip("TRITON_INTERPRET=0: kernels are compiled")
    return Engine("cpu")
