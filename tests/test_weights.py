"""The weights that ship are found, whether they lie in the package or beside it."""

import hashlib
from pathlib import Path

import pytest

from dgsolve import weights
from dgsolve.errors import ModelUnavailableError
from dgsolve.models import SHIPPED


def test_the_embedded_weights_are_found_and_small() -> None:
    file = weights.adapter_path("relational") / weights.WEIGHTS_FILE
    assert 0 < file.stat().st_size < 2_000_000


def test_the_package_comes_before_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / "package", tmp_path / "checkout"]
    monkeypatch.setattr(weights, "adapter_folders", lambda: folders)
    for folder in reversed(folders):
        (folder / "tiny").mkdir(parents=True)
        (folder / "tiny" / weights.WEIGHTS_FILE).write_bytes(b"x")
        assert weights.adapter_path("tiny") == folder / "tiny"


def test_missing_weights_say_where_it_looked_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "adapter_folders", lambda: [tmp_path])
    with pytest.raises(ModelUnavailableError) as caught:
        weights.adapter_path("nobody")
    assert str(tmp_path / "nobody") in str(caught.value) and "pip" in caught.value.hint


def test_sha256_is_the_files(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert weights.sha256(tmp_path / "f") == hashlib.sha256(b"abc").hexdigest()


@pytest.mark.parametrize(
    "name", ["relational", "relational-factors", "diffusion-gemma", "diffusion-gemma-9x9", "diffusion-gemma-lines"]
)
def test_a_card_names_the_weights_beside_it(name: str) -> None:
    folder = weights.adapter_path("relational").parent / name
    [file] = folder.glob("*.safetensors")
    assert f"`{weights.sha256(file)}`" in (folder / "README.md").read_text("utf-8")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 20_000_000


def test_the_adapter_for_grids_row_by_row_solves_small_sudokus() -> None:
    pytest.importorskip("peft", reason="adapters need peft")
    from dgsolve import Sudoku, load, solve_many

    puzzles = [Sudoku.parse(text) for text in ("3....4.......2.4", ".2..3...1..3....", "1.3...2..1..4...")]
    model = load("diffusion-gemma", adapter="diffusion-gemma-lines", lines=True)
    solutions = list(solve_many(puzzles, model))
    assert all(puzzle.check(found.answer).valid for puzzle, found in zip(puzzles, solutions, strict=True))
    assert {found.found_by for found in solutions} == {"diffusion"}


def test_the_small_diffusion_gemma_solves_small_sudokus_as_text() -> None:
    from dgsolve import Sudoku, load, solve_many

    puzzles = [Sudoku.parse(text) for text in ("3....4.......2.4", ".2..3...1..3....", "1.3...2..1..4...")]
    solutions = list(solve_many(puzzles, load("diffusion-gemma")))
    assert all(puzzle.check(found.answer).valid for puzzle, found in zip(puzzles, solutions, strict=True))
    assert {found.found_by for found in solutions} == {"diffusion"}


NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_model_that_ships_loads_by_its_name(name: str) -> None:
    from dgsolve import Model, load

    model = load(name)
    assert isinstance(model, Model) and model.name == name and model.denoiser.canvas_slots == 96


def test_the_small_diffusion_gemma_for_9x9_solves_one_as_text() -> None:
    from dgsolve import Sudoku, load, solve

    found = solve(Sudoku.parse(NINE), load("diffusion-gemma-9x9"))
    assert found.answer is not None and found.found_by == "diffusion"


def test_the_embedded_denoiser_names_both_files_that_its_answers_depend_on() -> None:
    from dgsolve.denoisers.random import RandomDenoiser
    from dgsolve.denoisers.relational import RelationalDenoiser

    shipped = {name: weights.adapter_path(name) / weights.WEIGHTS_FILE for name in ("relational", "relational-factors")}
    assert RelationalDenoiser.load().weight_files == shipped
    assert RelationalDenoiser.load(shipped["relational-factors"].parent).weight_files == shipped
    assert RandomDenoiser().weight_files == {}
