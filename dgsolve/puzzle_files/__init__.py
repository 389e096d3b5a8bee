"""Puzzle files of every format that people have, read as a stream of entries."""

from dgsolve.puzzle_files.base import PuzzleEntry
from dgsolve.puzzle_files.reader import parse_puzzles, puzzle_from_rows, read_puzzles, single_puzzle

__all__ = ["PuzzleEntry", "parse_puzzles", "puzzle_from_rows", "read_puzzles", "single_puzzle"]
