"""Where the example files lie, whether dgsolve is installed, editable or run from a checkout."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from dgsolve.grid_kinds.registry import grid_kinds


@dataclass(frozen=True)
class Example:
    """A file `puzzles/grids/NAME.toml`; kind: what it is of, None where it is written rule by rule."""

    name: str
    kind: str | None
    title: str
    file: Path


def examples() -> list[Example]:
    """By kind, the example of its name first and those of its variants after it; what has no kind comes last."""
    found = [_read(file) for file in _folder().glob("*.toml")]
    return sorted(found, key=lambda example: (example.kind or "~", example.name != example.kind, example.name))


def example_of(name: str) -> Example | None:
    """The example of a kind, or of a variant, by its name; None where there is none."""
    return next((example for example in examples() if example.name == name), None)


def _folder() -> Path:
    """The installed package has its own."""
    package = Path(str(files("dgsolve")))
    places = (folder / "puzzles" / "grids" for folder in (package, package.parent))
    return next((place for place in places if place.is_dir()), package)


def _read(file: Path) -> Example:
    record = tomllib.loads(file.read_text("utf-8"))
    kind = record.get("kind")
    title = grid_kinds()[kind].title if kind == file.stem else record.get("title", file.stem)
    return Example(file.stem, kind, title, file)
