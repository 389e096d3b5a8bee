"""Where the example file of every kind lies, whether dgsolve is installed, editable or run from a checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def example_file(kind: str) -> Path | None:
    """The file `puzzles/grids/KIND.toml`, None where there is none; the installed package has its own."""
    package = Path(str(files("dgsolve")))
    places = (folder / "puzzles" / "grids" / f"{kind}.toml" for folder in (package, package.parent))
    return next((place for place in places if place.is_file()), None)
