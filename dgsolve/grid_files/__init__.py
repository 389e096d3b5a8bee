"""Files of grids with rules: TOML, JSON, one object a line; read, written, and described by a JSON Schema."""

from dgsolve.grid_files.base import GridEntry
from dgsolve.grid_files.reader import parse_grids, read_grids, single_grid
from dgsolve.grid_files.record import grid_of_record
from dgsolve.grid_files.writing import json_of_grid, record_of_grid, toml_of_grid

__all__ = [
    "GridEntry",
    "grid_of_record",
    "json_of_grid",
    "parse_grids",
    "read_grids",
    "record_of_grid",
    "single_grid",
    "toml_of_grid",
]
