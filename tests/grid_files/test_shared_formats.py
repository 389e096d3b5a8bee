"""The puzzle collections beside the repository, in their own formats."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from dgsolve.certify import SolutionCount, certify
from dgsolve.errors import PuzzleError
from dgsolve.grid_files import GridEntry, parse_grids, read_grids
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
    refused = [entry.puzzle.message for entry in entries if isinstance(entry.puzzle, PuzzleError)]
    for reason, times in REFUSED.items():
        assert sum(reason in message for message in refused) == times


READ = 327
REFUSED = {"Chaos": 15, "without its text": 10, "too far": 1}  # regions to be found, names alone, a loop of 55 cells
PROVED = (  # how constraints of each group, rank and cell beyond are understood
    *("Or", "Replicate", "FullRank", "FullRankTies", "Doppelganger", "Var"),
    *("RegionSameValues", "CountDistinct"),
)
SLOW = ("Letter Little Killer", "House of Cards", "Con-Set-Cutive", "Full rank 2", "Full rank 3")  # seconds to prove


@needs_data
@pytest.mark.parametrize("name", PROVED)
def test_a_constraint_string_has_the_published_solution_and_no_other(name: str) -> None:
    """So the rules refuse all changes of it, and cells beyond the rectangle follow from those within."""
    records = json.loads((DATA / "iss_variants" / "iss_puzzles.json").read_text("utf-8"))
    asked = [record for record in records if re.search(rf"\.{name}\b", record["input"])]
    read_ones = [entry for record in asked for entry in parse_grids(json.dumps(record))]
    assert any(isinstance(entry.puzzle, Grid) for entry in read_ones)
    for record, entry in zip(asked, read_ones, strict=True):
        if isinstance(entry.puzzle, PuzzleError):
            assert "Chaos" in entry.puzzle.message
            continue
        assert (entry.solution is None) == (len(entry.puzzle.names) > len(record["solution"]))
        within = dict(zip(entry.puzzle.names, map(int, record["solution"]), strict=False))
        held = certify(entry.puzzle.copy(givens=within))
        assert held.status is SolutionCount.ONE, entry.name
        if entry.name not in SLOW:
            assert certify(entry.puzzle).solutions == held.solutions, entry.name


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
