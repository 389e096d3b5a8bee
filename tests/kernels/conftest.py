"""Every kernel's ways to run: torch, and Triton interpreted on the CPU or compiled on a GPU."""

import os
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
import torch


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
        pytest.skip("needs a GPU, and TRITON_INTERPRET=0")
    return Way("triton", "cuda")
