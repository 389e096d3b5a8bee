"""docs/benchmarks.md says what the tables and the folder hold."""

import re
import shlex
from pathlib import Path

import typer

from dgsolve.bench.kind_table import KIND_COLUMNS
from dgsolve.bench.store import RECORDS, SETTINGS
from dgsolve.cli.bench import bench

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def test_every_column_of_kinds_is_explained() -> None:
    explained = re.findall(r"^\| ([^|]+?) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(KIND_COLUMNS) - {"kind"} <= set(explained)


def test_its_commands_are_written_as_bench_reads_them() -> None:
    page = PAGE.read_text("utf-8")
    app = typer.Typer()
    app.command()(bench)
    known = {option for parameter in typer.main.get_command(app).params for option in parameter.opts}
    block = re.search(r"```sh\n(.*?)```", page, re.DOTALL)
    assert block is not None
    for line in block[1].splitlines():
        assert {word for word in shlex.split(line) if word.startswith("-")} <= known, line
    assert f"`{SETTINGS}`" in page and f"`{RECORDS}`" in page
