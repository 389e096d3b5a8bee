"""The puzzle collections beside the repository, in their own formats."""

import json
from collections import Counter
from pathlib import Path

import pytest

from dgsolve.certify import SolutionCount, certify
from dgsolve.errors import PuzzleError
from dgsolve.grid_files import GridEntry, read_grids
from dgsolve.problems.grid import Grid

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "sudoku"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data folder does not lie beside the repository")

GENERATED = {
    "keen_kenken": 90,
    "pattern_nonogram": 100,
    "solo_2x2": 20,
    "solo_2x3": 30,
    "solo_3x3_X": 100,
    "solo_3x3_killer": 80,
    "solo_3x4": 20,
    "solo_5x5": 3,
    "solo_6_jigsaw": 30,
    "solo_9_jigsaw": 100,
    "solo_9_jigsawX": 20,
    "towers_skyscraper": 75,
    "unequal_adjacent": 64,
    "unequal_futoshiki": 100,
    "unruly_takuzu": 100,
}


def read(name: str, **options: int) -> list[GridEntry]:
    return list(read_grids(DATA / name, **options))


@needs_data
@pytest.mark.parametrize("name", GENERATED)
def test_ids_are_the_decoded_puzzles(name: str) -> None:
    ids, decoded = read(f"sgt_generated/{name}.txt"), read(f"sgt_generated/canonical/{name}.jsonl")
    assert len(ids) == len(decoded) == GENERATED[name]
    for one, other in list(zip(ids, decoded, strict=True))[::10]:
        assert isinstance(one.puzzle, Grid) and one.puzzle == other.puzzle and other.solution is not None
        assert one.puzzle.check(other.solution).valid
        first, *rest = one.puzzle.values.natives
        changed = (rest[0] if other.solution[0] == first else first, *other.solution[1:])
        assert not one.puzzle.check(changed).valid


@needs_data
def test_maps_can_be_coloured() -> None:
    entries = read("sgt_generated/map_4colour.txt")
    assert len(entries) == 60 and all(isinstance(entry.puzzle, Grid) for entry in entries)
    assert certify(entries[0].puzzle).status is SolutionCount.ONE  # type: ignore[arg-type]


@needs_data
def test_singles_have_one_solution() -> None:
    entries = read("sgt_generated/singles_hitori.txt")
    assert len(entries) == 50 and all(isinstance(entry.puzzle, Grid) for entry in entries)
    assert all(certify(entry.puzzle).status is SolutionCount.ONE for entry in entries[::5])  # type: ignore[arg-type]


@needs_data
@pytest.mark.parametrize(("name", "chromatic"), [("myciel3", 4), ("myciel4", 5)])
def test_graphs_need_their_chromatic_number(name: str, chromatic: int) -> None:
    (entry,) = read(f"dimacs/{name}.col")
    assert isinstance(entry.puzzle, Grid) and len(entry.puzzle.values) == chromatic
    assert certify(entry.puzzle, want=1).solutions
    (fewer,) = read(f"dimacs/{name}.col", colours=2)
    assert certify(fewer.puzzle, want=1).status is SolutionCount.NONE  # type: ignore[arg-type]


@needs_data
def test_constraint_strings_take_their_solutions() -> None:
    entries = read("iss_variants/iss_puzzles.json")
    read_ones = [entry for entry in entries if isinstance(entry.puzzle, Grid)]
    assert (len(entries), len(read_ones)) == (353, READ)
    judged = [entry for entry in read_ones if entry.solution is not None]
    assert all(entry.puzzle.check(entry.solution).valid for entry in judged[::8])  # type: ignore[union-attr]
    for entry in entries:
        assert isinstance(entry.puzzle, Grid) or entry.puzzle.message


READ = 293


@needs_data
@pytest.mark.parametrize(("name", "count"), [("valid", 1000), ("invalid", 111)])
def test_layouts(name: str, count: int) -> None:
    entries = read(f"iss_variants/jigsaw_layouts_{name}.txt")
    assert len(entries) == count and all(isinstance(entry.puzzle, Grid) for entry in entries)


@needs_data
def test_samurai() -> None:
    (entry,) = read("samurai/samurai.txt")
    assert isinstance(entry.puzzle, Grid) and len(entry.puzzle.names) == 5 * 81 - 4 * 9
    assert certify(entry.puzzle).status is SolutionCount.ONE


@needs_data
def test_sudoku_files_read_as_grids() -> None:
    for name, count, solved in (("nonet_pool/puzzles.json", 63, 63), ("norvig/top95.txt", 95, 0)):
        entries = read(name)
        assert len(entries) == count and sum(entry.solution is not None for entry in entries) == solved
        assert all(entry.puzzle.check(entry.solution).valid for entry in entries[::20] if entry.solution)  # type: ignore[union-attr]
    (crlf,) = read("17_clue_head_crlf.txt")[-1:]
    assert isinstance(crlf.puzzle, Grid) and len(crlf.puzzle.givens) == 17


@needs_data
def test_cases_of_collections() -> None:
    cases = json.loads((DATA / "puzzle_solver_cases" / "cases.json").read_text("utf-8"))
    entries = read("puzzle_solver_cases/cases.json")
    assert len(entries) == sum(map(len, cases.values()))
    refused = Counter(
        str(entry.puzzle.key).split("[")[0]
        for entry in entries
        if isinstance(entry.puzzle, PuzzleError) and entry.puzzle.key
    )
    assert refused == {"kakuro": 2, "light_up": 2, "hidoku": 2, "filling": 1, "tents": 2}
    for entry in entries:
        if isinstance(entry.puzzle, Grid) and entry.solution is not None:
            assert entry.puzzle.check(entry.solution).valid, entry.name
