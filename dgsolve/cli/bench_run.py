"""One run of `dgsolve bench`: plan, folder, tables as the sets are done, and what is left after Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from dgsolve.bench.plan import Plan, option_name
from dgsolve.bench.puzzles import Puzzles
from dgsolve.cli.exits import Exit
from dgsolve.cli.talk import Talk
from dgsolve.errors import UsageError
from dgsolve.ui.progress import progress_line

if TYPE_CHECKING:
    from dgsolve.bench.record import Record
    from dgsolve.bench.run import BenchRun


def execute(
    values: Mapping[str, Any], typed: Collection[str], folder: Path, resume: Path | None, talk: Talk, *, as_json: bool
) -> Exit:
    """Run or go on; `values` are the plan's fields, `typed` those that the person wrote."""
    if resume is not None and not resume.is_dir():
        raise UsageError(f"--resume {resume}: there is no such folder", hint="Name the folder of a run.")
    plan = Plan(**values) if resume is None else resumed_plan(values, typed, resume)
    folder = resume or folder
    try:
        with talk.busy("Reading the puzzles"):
            sets = _sets(plan)
        with talk.busy("Loading the denoiser"):
            run = _started(plan, sets, folder, fresh=resume is None)
    except KeyboardInterrupt:
        talk.error("Interrupted before anything was solved.")
        return Exit.INTERRUPTED
    return _Show(run, talk, as_json).run()


def _sets(plan: Plan) -> list[Puzzles]:
    from dgsolve.bench.grid_sets import survey_grids
    from dgsolve.bench.puzzle_sets import survey

    found = (survey_grids if plan.grid else survey)(plan.files, plan.set)
    return [one.sample(plan.sample, plan.seed) for one in found]


def resumed_plan(values: Mapping[str, Any], typed: Collection[str], folder: Path) -> Plan:
    """The plan of the run in `folder`; raises UsageError where the person wrote something else now."""
    from dgsolve.bench.store import changed, read_settings

    plan = Plan.from_json(read_settings(folder)["plan"])
    before, now = plan.to_json(), Plan(**{**values, "files": values["files"] or plan.files}).to_json()
    different = {name: (before[name], now[name]) for name in now if name in typed and before[name] != now[name]}
    for file in plan.files:
        if not Path(file).exists():
            hint = "Go on with it in the folder where it was started: the names of its files count from there."
            raise UsageError(f"the run in {folder} cannot go on: its file {file} is not here", hint=hint)
    for name, (then, today) in different.items():
        raise changed(folder, option_name(name), then, today)
    return plan


def _started(plan: Plan, sets: list[Puzzles], folder: Path, *, fresh: bool) -> BenchRun:
    import torch

    from dgsolve.bench.provenance import settings_of
    from dgsolve.bench.run import BenchRun
    from dgsolve.bench.store import Store
    from dgsolve.loading import load_denoiser

    if plan.threads is not None:
        torch.set_num_threads(plan.threads)
    denoiser = load_denoiser(plan.denoiser, **plan.placement)
    settings = settings_of(plan, denoiser)
    store = Store.create(folder, settings) if fresh else Store.resume(folder, settings)
    return BenchRun(plan, sets, store, denoiser)


class _Show:
    """Tables on stdout as the sets are done, everything else on stderr, all figures in the folder."""

    def __init__(self, run: BenchRun, talk: Talk, as_json: bool) -> None:
        self.bench, self.talk, self.as_json = run, talk, as_json
        self.console = Console(highlight=False)

    def run(self) -> Exit:
        """Solve set after set; Ctrl-C ends the run with everything that is done in the folder."""
        folder = self.bench.store.folder
        code = Exit.SOLVED
        try:
            self._print_title()
            for one in self.bench.sets:
                self._solve(one)
                self._write_files()
                self._print_set(one)
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
            self.talk.error("Interrupted; what is done is kept.", f"Go on with: dgsolve bench --resume {folder}")
        self._write_files()
        self._print_settings()
        if self.as_json:
            print(json.dumps(self._results()))
        if code is Exit.SOLVED:
            self.talk.note(f"Figures, plot and every answer: {folder}")
        return code

    def _solve(self, one: Puzzles) -> None:
        left = self.bench.left(one)
        self.talk.note(f"{one.name}: {left:,} to solve" if left else f"{one.name}: done before")
        with progress_line(self.talk.console, left, quiet=self.talk.quiet) as progress:

            def count(record: Record) -> None:
                progress.add(solved=record.valid)
                if self.talk.verbose:
                    self.talk.detail(_line(record))

            self.bench.solve(one, count)

    def _results(self) -> dict[str, Any]:
        from dgsolve.bench.report import results

        return results(self.bench.store, self.bench.sets, self.bench.rows)

    def _write_files(self) -> None:
        from dgsolve.bench.accuracy_plot import accuracy_svg
        from dgsolve.bench.table import markdown

        figures, folder = self._results(), self.bench.store.folder
        texts = {
            "results.json": json.dumps(figures, indent=2, ensure_ascii=False) + "\n",
            "results.md": markdown(figures, "accuracy.svg"),
            "accuracy.svg": accuracy_svg(figures["sets"]),
        }
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")

    def _print_title(self) -> None:
        from dgsolve.bench.table import TITLE

        if not (self.as_json or self.console.is_terminal):
            print(f"{TITLE}\n", flush=True)

    def _print_settings(self) -> None:
        from dgsolve.bench.table import header, markdown_settings

        if self.as_json:
            return
        settings = self.bench.store.settings
        if self.console.is_terminal:
            self.console.print(Text("\n".join(header(settings)), style="dim"))
        else:
            print(markdown_settings(settings), flush=True)

    def _print_set(self, one: Puzzles) -> None:
        from dgsolve.bench.report import set_results
        from dgsolve.bench.table import markdown_table, rich_table

        if self.as_json:
            return
        figures = set_results(self.bench.store, one, self.bench.rows)
        if self.console.is_terminal:
            self.console.print(rich_table(figures))
        else:
            print(markdown_table(figures), flush=True)


def _line(record: Record) -> str:
    verdict = "valid" if record.valid else "stopped by the time limit" if record.timed_out else "not solved"
    place = f"{record.file}, line {record.line}" if record.line else record.file
    named = f"{place}, {record.name}" if record.name else place
    return f"{named}, {record.row}: {verdict}, {record.steps} steps, {record.canvases} canvases"
