"""Kernels compile for GPUs that are not there, and their files are imported where Triton is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

KERNELS = 9
SHARED = {"89": 101_376, "90": 232_448}  # bytes that a program can share, by CUDA's compute capability


@pytest.mark.parametrize("architecture", SHARED)
def test_every_kernel_compiles(architecture, tmp_path):
    pytest.importorskip("triton", reason="Triton is not installed here; it has wheels for Linux alone")
    script = Path(__file__).with_name("compile_without_gpu.py")
    environment = os.environ | {"TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), architecture], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    shared = [line.split() for line in done.stdout.splitlines()]
    assert len({name for name, _ in shared}) == KERNELS
    assert max(int(size) for _, size in shared) <= SHARED[architecture]


def test_files_of_kernels_are_imported_and_run_without_triton():
    code = (
        "import sys; sys.modules['triton'] = None\n"
        "import torch\n"
        "from dgsolve.kernels import chain, class_reduction, self_conditioning\n"
        "from dgsolve.kernels.slot_reduction import slot_reduction\n"
        "sums = slot_reduction(torch.zeros(1, 2, 8), torch.ones(1))\n"
        "print(sums.draws(torch.full((1, 2), 0.5)).tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[[4, 4]]\n", done.stderr


def test_triton_is_not_imported_where_nothing_can_run_it():
    if torch.cuda.is_available():
        pytest.skip("here is a GPU, so Triton is of use")
    code = (
        "import sys, dgsolve.loop, dgsolve.constraints.token_automaton, dgsolve.kernels.self_conditioning\n"
        "assert 'triton' not in sys.modules"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
