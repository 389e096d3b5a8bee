"""Compiles every kernel as it is launched at 256 slots x 262,144 tokens, for one kind of GPU; none need be there.

    python tests/kernels/compile_without_gpu.py 90

It prints, a line for each kernel: its name, and the bytes of memory that a program shares. What a GPU cannot hold, or
Triton cannot compile, ends it with an error; the interpreter of the other tests notices neither.
"""

import sys
from types import ModuleType, SimpleNamespace

import torch
import triton
from triton.backends.compiler import GPUTarget

from dgsolve.kernels import chain, class_reduction, self_conditioning, slot_reduction

SLOTS, TOKENS = 256, 262_144


class Driver:
    """As much of a GPU's driver as compiling asks for."""

    def __init__(self, architecture: int) -> None:
        self.target = GPUTarget("cuda", architecture, 32)

    def get_current_target(self) -> GPUTarget:
        return self.target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


class Compiled:
    """A kernel that is compiled where it would be launched."""

    def __init__(self, kernel, name: str) -> None:
        self.kernel, self.name = kernel, name

    def __getitem__(self, grid):
        def launch(*arguments, **options) -> None:
            made = self.kernel.warmup(*arguments, grid=grid, **options)
            print(self.name, made.metadata.shared)

        return launch


def compile_launches(module: ModuleType) -> None:
    for name, kernel in list(vars(module).items()):
        if name.endswith("_kernel"):
            setattr(module, name, Compiled(kernel, f"{module.__name__}.{name}"))


def main(architecture: int) -> None:
    triton.runtime.driver.set_active(Driver(architecture))
    for module in (slot_reduction, class_reduction, chain, self_conditioning):
        compile_launches(module)
    warmth, uniform = torch.ones(1), torch.rand(1, SLOTS, dtype=torch.float64)
    classes = torch.zeros(1, SLOTS, dtype=torch.long)
    runs = class_reduction.ClassRuns.of(torch.arange(TOKENS) % 300, 300)
    for dtype in (torch.float32, torch.bfloat16):
        logits = torch.empty(1, SLOTS, TOKENS, dtype=dtype, device="meta")
        slot_reduction._draws_by_triton(slot_reduction._by_triton(logits, warmth), uniform)
        class_reduction._draws_by_triton(class_reduction._by_triton(logits, warmth, runs), classes, uniform)
        embedding = torch.empty(TOKENS, 2304, dtype=dtype, device="meta")
        rows = None if dtype == torch.float32 else classes[0]
        self_conditioning._by_triton(logits.float(), warmth, embedding, 1.0, rows)
    step = SimpleNamespace(starts=[0, 1], target=[0], label=[0], states=[0], after=[0], bundle_starts=[0, 1])
    lattice = chain.Lattice.of([[step] * SLOTS], torch.device("cpu"))
    chain._by_triton(lattice, *torch.zeros(2, 1, SLOTS, 1, dtype=torch.float64), uniform)


if __name__ == "__main__":
    main(int(sys.argv[1]))
