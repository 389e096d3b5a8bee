"""The gallery of grids shows every kind, and is what its script makes today."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from dgsolve.grid_kinds import grid_kinds

DOCS = Path(__file__).parents[1] / "docs"
AGAIN = "run: python docs/grid_gallery.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    runpy.run_path(str(DOCS / "grid_gallery.py"))["make"](folder)
    return folder


def test_the_page_is_what_the_script_makes(made: Path) -> None:
    assert (DOCS / "grid_gallery.md").read_bytes() == (made / "grid_gallery.md").read_bytes(), AGAIN


def test_the_pictures_are_what_the_script_draws(made: Path) -> None:
    pictures = {file.name for file in (made / "gallery").iterdir()}
    assert pictures == {file.name for file in (DOCS / "gallery").iterdir()}, AGAIN
    for name in pictures:
        picture = (DOCS / "gallery" / name).read_bytes()
        assert picture == (made / "gallery" / name).read_bytes(), f"{name}: {AGAIN}"
        assert len(picture) < 30_000


def test_the_page_shows_every_kind() -> None:
    page = (DOCS / "grid_gallery.md").read_text("utf-8")
    assert [kind for kind in grid_kinds() if f'`kind = "{kind}"`' not in page] == [], AGAIN
    drawings = page.split("```")[1::2]
    assert len(drawings) >= len(grid_kinds()) and max(map(len, "\n".join(drawings).split("\n"))) <= 80
