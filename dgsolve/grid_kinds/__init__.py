"""Whole puzzles by name, one kind a file: its options, and the grid with rules that they make."""

from dgsolve.grid_kinds.base import GridKind
from dgsolve.grid_kinds.registry import grid_kinds

__all__ = ["GridKind", "grid_kinds"]
