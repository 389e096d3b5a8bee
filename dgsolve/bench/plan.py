"""What a benchmark is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from dgsolve.errors import UsageError
from dgsolve.sampling.settings import Sampling

PLACEMENT = ("lines", "adapter", "device", "dtype", "quantize")


@dataclass(frozen=True)
class Plan:
    """Each field has the name of its option on the command line (`cpsat=False` is --no-cpsat).

    grid: the files hold grids with rules. set: part of the names of the sets to run, None for all. sample: puzzles of
    each set, drawn with `seed`, None for all. batch: canvases denoised together. threads: of the denoiser, None for
    torch's own choice. lines, adapter, device, dtype, quantize: how it is loaded. time_limit: seconds for each puzzle.
    Raises UsageError for what cannot mean anything.
    """

    files: tuple[str, ...]
    grid: bool = False
    set: str | None = None
    sample: int | None = None
    seed: int = 0
    steps: int = 64
    attempts: int = 8
    batch: int = 32
    threads: int | None = None
    propagate: bool = True
    ablate: bool = False
    denoiser: str = "auto"
    lines: bool = False
    adapter: tuple[str, ...] = ()
    device: str | None = None
    dtype: str | None = None
    quantize: str | None = None
    time_limit: float | None = None
    cpsat: bool = True

    def __post_init__(self) -> None:
        if not self.files:
            raise UsageError("no puzzle file was named", hint="Name one or more: dgsolve bench FILES...")
        if "-" in self.files:
            raise UsageError("bench reads its files more than once, standard input it cannot", hint="Name a file.")
        for file in self.files:
            if self.files.count(file) > 1:
                raise UsageError(f"{file} is named twice", hint="Each set would be counted twice: name it once.")
        for name in ("sample", "steps", "attempts", "batch", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"--{name} {value}: give at least 1")
        if self.time_limit is not None and not self.time_limit > 0:
            raise UsageError(f"--time-limit {self.time_limit}: give a number of seconds above 0")

    def sampling(self, usual: Sampling) -> Sampling:
        """The settings of the first row of every table, where the denoiser recommends the `usual` ones."""
        return replace(usual, max_denoising_steps=self.steps, attempts=self.attempts, propagate=self.propagate)

    @property
    def placement(self) -> dict[str, Any]:
        """What was said of how the denoiser is loaded, by the names that `dgsolve.load` knows."""
        said = {name: getattr(self, name) for name in PLACEMENT}
        return {name: value for name, value in said.items() if value}

    def to_json(self) -> dict[str, Any]:
        """Plain values, as settings.json keeps them."""
        return {**asdict(self), "files": list(self.files), "adapter": list(self.adapter)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Plan:
        """Back from `to_json`; raises KeyError where a field is missing, but for those that older runs have not."""
        names = [field.name for field in fields(cls) if field.name in values or field.name not in (*PLACEMENT, "grid")]
        kept = {name: values[name] for name in names}
        return cls(**{**kept, "files": tuple(kept["files"]), "adapter": tuple(kept.get("adapter", ()))})


def option_name(field: str) -> str:
    """How a field of the plan is written on the command line."""
    return {"files": "FILES", "propagate": "--no-propagate", "cpsat": "--no-cpsat"}.get(
        field, f"--{field.replace('_', '-')}"
    )
