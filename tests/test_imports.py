"""A module imports only from its own row or a row above, nothing names a leaf, and torch comes only when it is used."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dgsolve

PACKAGE = Path(__file__).parents[1] / "dgsolve"

ROWS = [
    {"errors", "shapes", "factor_graph", "plural", "shortened", "unknown_options", "switches"}
    | {"randomness", "cache_folder", "images", "kernels", "pieces", "deadline", "whole_numbers"},
    {"problem", "solution", "registry", "drawing"},
    {"language", "output_types", "short_schema", "forms", "constraints", "canvas", "certify", "exact_rules", "rules"}
    | {"weights", "models", "chat", "quiet_transformers"},
    {"sampling"},
    {"denoisers"},
    {"loop", "batch", "beginning", "rows", "verdicts", "result", "many_prompts", "model"}
    | {"loading", "checking", "confidence", "distribution", "choice_tree"},
    {"bench", "train", "ui", "cli", "__main__"},
]
ROW_OF = {name: number for number, names in enumerate(ROWS) for name in names}
LEAF_FOLDERS = {"problems", "denoisers"}
LEAF_FILES = {"puzzle_files", "grid_files", "grid_kinds"}  # which become leaves
LEAF_ROW = 3  # what a problem or a denoiser may import
NAMES_LEAVES = {"puzzle_files", "grid_files", "grid_kinds", "cli", "train"}  # files become Sudokus and grids
SEAMS = {"denoisers.base"}  # an abstract seam beside its leaves is not a leaf


def test_contributing_shows_these_rows() -> None:
    page = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    shown = [set(re.findall("`([^`/]+)`", line)) for line in page.splitlines() if re.match(r"\| \d", line)]
    assert shown == ROWS, "the table of CONTRIBUTING.md says otherwise"


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def runtime_imports(path: Path) -> set[str]:
    """Modules of dgsolve that `path` imports when it runs, at its top or in a function, without the leading name."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "dgsolve":
                found |= {dgsolve._HOMES.get(alias.name, alias.name) for alias in node.names} - {"__version__"}
            elif (node.module or "").startswith("dgsolve."):
                found.add((node.module or "").removeprefix("dgsolve."))
        if isinstance(node, ast.Import):
            found |= {a.name.removeprefix("dgsolve.") for a in node.names if a.name.startswith("dgsolve.")}
    return found


def is_leaf(module: str) -> bool:
    folder, _, name = module.partition(".")
    return folder in LEAF_FOLDERS and bool(name) and module not in SEAMS


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_stay_in_their_row_or_above(path: Path) -> None:
    module = dotted(path)
    top = module.split(".")[0]
    leaf = top in LEAF_FOLDERS | LEAF_FILES
    allowed = LEAF_ROW if leaf else ROW_OF[top]
    for imported in runtime_imports(path):
        there = imported.split(".")[0]
        if there == top or there in LEAF_FOLDERS | LEAF_FILES:
            continue  # its own folder; leaves have their own test
        assert ROW_OF[there] <= allowed, f"{module} (row {allowed}) imports {imported} (row {ROW_OF[there]})"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_nobody_names_a_leaf(path: Path) -> None:
    module = dotted(path)
    top = module.split(".")[0]
    for imported in runtime_imports(path):
        named = is_leaf(imported) and imported.split(".")[0] != top
        assert not named or top in NAMES_LEAVES, f"{module} names the leaf {imported}; ask the registry"


def test_the_check_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import dgsolve.ui\n"
                    "def f():\n    from dgsolve.problems.sudoku import Sudoku\n    import dgsolve.loop\n")  # fmt: skip
    assert runtime_imports(file) == {"problems.sudoku", "loop"}
    assert is_leaf("problems.sudoku") and is_leaf("denoisers.random") and not is_leaf("denoisers.base")


@pytest.mark.parametrize(
    "code",
    [
        "import dgsolve; dir(dgsolve)",
        "import dgsolve; dgsolve.Sudoku.parse('4' + '.' * 80); dgsolve.Status; dgsolve.PuzzleError",
        "from dgsolve.cli.app import run; run(['--help'])",
        "from dgsolve.cli.app import run; run(['sudoku', '--help'])",
        "from dgsolve.cli.app import run; assert run(['sudoku', '11' + '.' * 79]) == 2",
        "import dgsolve.language as top; from importlib import import_module; from pkgutil import walk_packages\n"
        "for module in walk_packages(top.__path__, 'dgsolve.language.'): import_module(module.name)",
    ],
    ids=["import", "parse", "help", "sudoku-help", "repeated-givens", "language"],
)
def test_torch_is_not_imported(code: str) -> None:
    late = ("torch", "ortools", "pandas", "numba")
    code += f"\nimport sys; sys.exit(', '.join(m for m in {late} if m in sys.modules) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_sudoku_by_diffusion_waits_for_no_compiler() -> None:
    code = (
        "import dgsolve, sys; assert dgsolve.solve(dgsolve.Sudoku.parse('3....4.......2.4')).answer; "
        "sys.exit(', '.join(m for m in ('numba', 'ortools') if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
