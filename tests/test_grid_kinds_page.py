"""The page of kinds is what its script makes, and names every key of every kind."""

from __future__ import annotations

import runpy
from pathlib import Path

import dgsolve
from dgsolve.grid_kinds import grid_kinds

DOCS = Path(__file__).parents[1] / "docs"
AGAIN = "run: python docs/grid_kinds.py"


def test_the_page_is_what_the_script_makes(tmp_path: Path) -> None:
    runpy.run_path(str(DOCS / "grid_kinds.py"))["make"](tmp_path)
    assert (DOCS / "grid_kinds.md").read_bytes() == (tmp_path / "grid_kinds.md").read_bytes(), AGAIN


def test_every_key_of_every_kind_is_named() -> None:
    sections = (DOCS / "grid_kinds.md").read_text("utf-8").split("\n## ")[1:]
    by_kind = {section.partition("\n")[0]: section for section in sections}
    assert set(by_kind) == set(grid_kinds())
    for name, kind in grid_kinds().items():
        assert [key for key in kind.options() if f"| `{key}` |" not in by_kind[name]] == [], name


def test_every_example_is_read() -> None:
    page = (DOCS / "grid_kinds.md").read_text("utf-8")
    examples = [block.partition("```")[0] for block in page.split("```toml\n")[1:]]
    assert len(examples) == len(grid_kinds())
    assert all(dgsolve.Grid.parse(example).rules for example in examples)
