"""What the kernels read of a token automaton: its classes of tokens, and what the canvases of a batch can pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from dgsolve.constraints.indexed_table import IndexedTable
from dgsolve.constraints.token_lattice import Step
from dgsolve.kernels.chain import Lattice
from dgsolve.kernels.class_reduction import ClassRuns

MOST_ARCS = 8_000_000  # of all steps; 36 bytes each on the device
MOST_STATES = 32_000_000  # before all slots of all canvases; 24 bytes each


def small_enough(canvases: Sequence[Sequence[Step]]) -> bool:
    """Whether a GPU keeps what the chain reads and writes beside a model. Else the chain runs on the CPU.

    By its sizes a GPU that has the logits is the better place in all other cases: the class sums need not leave it, all
    canvases run side by side, and a slot of 20,000 arcs is ten blocks of them, while a CPU takes one after the other.
    """
    distinct = {id(step): step for steps in canvases for step in steps}
    arcs = sum(len(step.label) for step in distinct.values())
    return arcs <= MOST_ARCS and sum(len(step.states) for steps in canvases for step in steps) <= MOST_STATES


@dataclass(frozen=True, eq=False)
class GpuLattice:
    """The chain of B canvases of W slots, and the P memberships of classes in the bundles of their N = B W slots.

    They come slot by slot, bundle by bundle, class by class. cell Int32 [P]: C times the slot plus the class; bundle
    Int32 [P]: M times the slot plus the bundle; sizes, starts Int64 [N, M]: how many each bundle has, and where they
    begin. by_class Int32 [P]: the same slot by slot, class by class; classes Int64 [N, K]: the classes of each slot,
    C behind the last; class_sizes Int64 [N, K]: how many memberships each has. largest: the most that a bundle has.
    """

    chain: Lattice
    cell: Tensor
    bundle: Tensor
    sizes: Tensor
    starts: Tensor
    by_class: Tensor
    classes: Tensor
    class_sizes: Tensor
    largest: int

    @classmethod
    def of(cls, canvases: Sequence[Sequence[Step]], count: int, device: torch.device) -> GpuLattice:
        """The steps of each canvas, as many for all; count: C."""
        slots = [step for steps in canvases for step in steps]
        distinct = {id(step): step for step in slots}
        widest = max(len(step.bundle_starts) - 1 for step in distinct.values())
        most = max(len(step.classes) for step in distinct.values())
        lengths, number = np.array([len(step.member) for step in slots]), np.arange(len(slots))
        at = np.cumsum(lengths) - lengths
        of = {
            key: (
                step.classes[step.member],
                step.bundle,
                np.argsort(step.member, kind="stable"),
                _filled(np.diff(step.bundle_starts), widest, 0),
                _filled(step.classes, most, count),
                _filled(np.bincount(step.member, minlength=len(step.classes)), most, 0),
            )
            for key, step in distinct.items()
        }
        columns = list(zip(*(of[id(step)] for step in slots), strict=True))
        cell, bundle, by_class = (
            np.concatenate(column) + np.repeat(first, lengths)
            for column, first in zip(columns[:3], (number * count, number * widest, at), strict=True)
        )
        sizes, classes, class_sizes = (np.stack(column) for column in columns[3:])
        starts = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        short = (torch.from_numpy(column.astype(np.int32)).to(device) for column in (cell, bundle, by_class))
        long = [torch.from_numpy(table.astype(np.int64)).to(device) for table in (sizes, starts, classes, class_sizes)]
        first, second, third = short
        chain = Lattice.of(canvases, device)
        return cls(chain, first, second, long[0], long[1], third, long[2], long[3], int(sizes.max()))


class GpuTables:
    """What all canvases under one table share on a GPU: its tokens by class, and the lattice that was used last."""

    def __init__(self, table: IndexedTable, device: torch.device) -> None:
        self.table, self.device, self.count = table, device, len(table.class_sizes)
        classes = torch.from_numpy(table.token_class.astype(np.int64)).to(device)
        self.runs = ClassRuns.of(classes, self.count)
        self.token_class = torch.where(classes < 0, self.count, classes)  # Int64 [V]: C for what fits nowhere
        self._last: tuple[list[Step], GpuLattice] | None = None

    def lattice(self, canvases: Sequence[Sequence[Step]]) -> GpuLattice:
        """The steps of a denoising loop are mostly those before: then nothing is built or copied."""
        steps = [step for steps in canvases for step in steps]
        last = self._last
        same = last is not None and len(last[0]) == len(steps) and all(map(_is, last[0], steps))
        if last is None or not same or last[1].chain.step.shape[0] != len(canvases):
            self._last = last = steps, GpuLattice.of(canvases, self.count, self.device)
        return last[1]


def _is(one: Step, other: Step) -> bool:
    return one is other


def _filled(values: np.ndarray, length: int, filling: int) -> np.ndarray:
    """The values and, behind the last, the filling: Int [length]."""
    found = np.full(length, filling, dtype=np.int64)
    found[: len(values)] = values
    return found
