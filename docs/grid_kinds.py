"""Makes the page docs/grid_kinds.md from what the kinds of grid declare.

python docs/grid_kinds.py [FOLDER]
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path

from dgsolve.grid_kinds import grid_kinds
from dgsolve.grid_kinds.base import GridKind
from dgsolve.grid_kinds.examples import example_of

DOCS = Path(__file__).resolve().parent
HEAD = """# Kinds of grid

A file with `kind = "NAME"` needs only what this page lists; the rules follow from it. Files are TOML, or JSON with the
same keys. `dgsolve grid --example NAME` prints an example, `dgsolve grid FILE` solves it, and the
[gallery](grid_gallery.md) shows what is drawn. Tables `[[rule]]` add rules to any kind; `dgsolve grid --schema` has
every key. This page is made by `python docs/grid_kinds.py`.
"""


def make(folder: Path) -> None:
    """Write the page into a folder."""
    sections = [HEAD, *(section(kind) for kind in grid_kinds().values())]
    (folder / "grid_kinds.md").write_text("\n".join(sections), encoding="utf-8")


def section(kind: type[GridKind]) -> str:
    """What a kind is, its keys, and its example file."""
    made = example_of(kind.kind)
    example = "" if made is None else f"\n```toml\n{made.file.read_text('utf-8').strip()}\n```\n"
    return f"## {kind.kind}\n\n{meaning(kind)}\n\n" + "\n".join(rows(kind)) + "\n" + example


def meaning(kind: type[GridKind]) -> str:
    """What its docstring says before the example."""
    return re.split(r"\n *kind = ", inspect.getdoc(kind) or "")[0].strip()


def rows(kind: type[GridKind]) -> Iterator[str]:
    """A table of its keys."""
    yield "| key | what it is | default |"
    yield "|---|---|---|"
    for name, (declared, _) in kind.options().items():
        words = declared.metadata["words"].replace("|", "\\|")
        yield f"| `{name}` | {words} | {default(declared.default)} |"


def default(value: object) -> str:
    """How a default is written; what must be given has none."""
    if value is MISSING:
        return "needed"
    return "none" if value in (None, ()) else f"`{json.dumps(value)}`"


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
