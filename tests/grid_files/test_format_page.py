"""The page of formats: every example reads."""

import re
from pathlib import Path

import pytest

from dgsolve.grid_files import parse_grids
from dgsolve.grid_files.game_id import GAMES
from dgsolve.grid_files.iss_rules import RULES
from dgsolve.problems.grid import Grid

PAGE = (Path(__file__).parents[2] / "docs" / "grid_formats.md").read_text("utf-8")
BLOCKS = re.findall(r"```grid\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: text.strip()[:20])
def test_an_example_reads(text: str) -> None:
    entries = list(parse_grids(text, colours=3))
    assert entries
    for entry in entries:
        assert isinstance(entry.puzzle, Grid), entry.puzzle


def test_every_game_and_constraint_stands_there() -> None:
    assert len(BLOCKS) >= 7
    for game in GAMES:
        assert all(f"`{name}`" in PAGE for name in game.names)
    for name in set(RULES) - {"", "Given"}:
        assert re.search(rf"\b{name}\b", PAGE), name
