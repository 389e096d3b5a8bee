"""Makes the page docs/grid_gallery.md and its pictures from the examples in puzzles/grids.

python docs/grid_gallery.py [FOLDER]
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dgsolve
from dgsolve.certify import SolutionCount, certify
from dgsolve.grid_kinds import grid_kinds
from dgsolve.ui.still import save_still

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "puzzles" / "grids"
HEAD = """# Gallery of grids

What `dgsolve grid` draws of every kind of puzzle: `dgsolve grid FILE --svg FILE.svg` makes the pictures, the puzzle
first and its answer after it; a terminal shows the same in characters. Each example is a file to begin from, which
`dgsolve grid --example NAME` prints. This page is made by `python docs/grid_gallery.py`.
"""


def make(folder: Path) -> None:
    """Write the page into a folder, and the pictures into its folder `gallery`."""
    (folder / "gallery").mkdir(exist_ok=True)
    sections = [HEAD, *(section(file, folder) for file in sorted(EXAMPLES.glob("*.toml"), key=order))]
    (folder / "grid_gallery.md").write_text("\n".join(sections), encoding="utf-8")


def order(file: Path) -> tuple[str, bool, str]:
    """By kind, the example of its name first; what has none comes last."""
    kind = kind_of(file) or "~"
    return kind, file.stem != kind, file.stem


def kind_of(file: Path) -> str:
    """The kind that an example is of; "" where it is written rule by rule."""
    return str(tomllib.loads(file.read_text("utf-8")).get("kind", ""))


def section(file: Path, folder: Path) -> str:
    """What the page says and shows of one example; its picture is drawn on the way."""
    grid, kind = dgsolve.Grid.read(file), kind_of(file)
    picture = folder / "gallery" / f"{file.stem}.svg"
    save_still(picture, grid, answer(grid))
    title = grid.title or grid.describe()
    title = title[0].upper() + title[1:]
    says = f'`kind = "{kind}"`: {grid_kinds()[kind].title}' if kind else "Without a kind, by rules alone"
    return f"""## {title}

{says} ([{file.name}](../puzzles/grids/{file.name})).

![{grid.describe()}](gallery/{picture.name})

```text
{grid.picture()}
```
"""


def answer(grid: dgsolve.Grid) -> Any:
    """The answer; of several the first by the order of values, so that no search and no model decides which."""
    certificate = certify(grid, time_limit=60)
    if certificate.status is SolutionCount.MANY:
        return grid.decode(list(first_places(grid)))
    if certificate.status is not SolutionCount.ONE:
        raise SystemExit(f"{grid.describe()}: {certificate.sentence}")
    return grid.decode(certificate.solutions[0])


def first_places(grid: dgsolve.Grid) -> Iterator[int]:
    """Slot by slot the first value with which there is an answer."""
    held = {name: number for name, number in zip(grid.names, grid.symbols_of(), strict=True) if number is not None}
    for name in grid.names:
        for place, symbol in enumerate(grid.values.symbols):
            tried = {**held, name: symbol}
            if held.get(name, symbol) == symbol and certify(grid.copy(givens=tried), time_limit=60, want=1).solutions:
                held = tried
                yield place
                break


if __name__ == "__main__":
    make(Path(sys.argv[1]) if sys.argv[1:] else DOCS)
