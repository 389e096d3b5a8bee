"""The figures as a header and a table per set: for terminals (rich), and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from dgsolve.bench.ablations import FULL, MEANINGS
from dgsolve.bench.cells import NONE, escaped, line, number, speed
from dgsolve.bench.kind_table import KIND_LEGEND, kinds_markdown, kinds_rich, remarks

Figures = Mapping[str, Any]
TITLE = "# dgsolve bench"


def _valid(row: Figures) -> str:
    return f"{number(row['valid_percent'], 1)} ({row['valid']})"


def _exact(row: Figures) -> str:
    share = number(row["exact_percent"], 1)
    return share if row["with_solution"] in (0, row["puzzles"]) else f"{share} of {row['with_solution']}"


COLUMNS: dict[str, Callable[[Figures], str]] = {
    "row": lambda row: row["row"],
    "puzzles": lambda row: str(row["puzzles"]),
    "solved % (n)": _valid,
    "file's answer %": _exact,
    "first draft %": lambda row: number(row["first_step_valid_percent"], 1),
    "mean steps": lambda row: number(row["mean_steps"], 1),
    "mean canvases": lambda row: number(row["mean_canvases"], 1),
    "mean restarts": lambda row: number(row["mean_restarts"], 1),
    "puzzles /s": lambda row: speed(row["puzzles_per_second"]),
    "times CP-SAT": lambda row: speed(row["ratio_to_cpsat"]),
    "peak MB": lambda row: number(row["peak_mb"], 0),
}

LEGEND = {
    "solved": "the answer keeps every rule and given, by checking them.",
    "file's answer": "it is the file's own solution, of those puzzles that have one; a puzzle may have several.",
    "first draft": "already solved by the first draft of the first canvas.",
    "mean steps, canvases, restarts": "over all puzzles, unsolved ones included.",
    "puzzles /s": "all puzzles, solved or not, by the seconds of all, reading included.",
    "times CP-SAT": "that rate by CP-SAT's, which stops at a first answer: below 1, CP-SAT is faster.",
    "peak MB": "memory of the process.",
}


def header(settings: Figures) -> list[str]:
    """What was measured, a sentence each."""
    plan, versions = settings["plan"], settings["versions"]
    sampling = ", ".join(f"{name} {_plain(value)}" for name, value in settings["sampling"].items())
    chosen = "all puzzles" if plan["sample"] is None else f"{plan['sample']} puzzles of each set, drawn with the seed"
    limit = "no time limit" if plan["time_limit"] is None else f"{plan['time_limit']:g} s for each puzzle"
    machine = settings["machine"]
    return [
        "Diffusion alone: exact search answers nothing here, and every answer is checked against the rules.",
        f"Denoiser {settings['denoiser']}, {_weights(settings)}, "
        f"{''.join(_placement(settings))}{_counted(settings['threads'], 'thread')}.",
        f"Steps {plan['steps']}, attempts {plan['attempts']}, seed {plan['seed']}, "
        f"propagate {_plain(plan['propagate'])}, batch {plan['batch']} canvases, {chosen}, {limit}.",
        f"Sampling: {sampling}.",
        f"Versions: {', '.join(f'{name} {number}' for name, number in versions.items())}.",
        f"Machine: {machine['processor']}, {_counted(machine['cores'], 'core')}, {machine['platform']}.",
    ]


def _weights(settings: Figures) -> str:
    """The weights by name and digest."""
    return ", ".join(f"weights {name} sha256 {digest}" for name, digest in settings["weights"].items()) or "no weights"


def _placement(settings: Figures) -> Iterator[str]:
    for name, digest in settings.get("adapters", {}).items():
        yield f"adapter {name} sha256 {digest}, "
    for name in ("lines", "device", "dtype", "quantize"):
        if settings["plan"].get(name):  # a run of before says nothing of it
            yield f"{name} {_plain(settings['plan'][name])}, "


def caption(one: Figures) -> str:
    """The set and how many puzzles it has."""
    sampled = f"{one['puzzles']:,} of " if one["puzzles"] < one["of"] else ""
    unread = f", {len(one['unreadable']):,} of them not read" if one["unreadable"] else ""
    rest = "" if one["complete"] else ", not all of them done"
    return f"{one['set']}: {sampled}{_counted(one['of'], 'puzzle')}{unread}{rest}"


def exact_search(one: Figures) -> str:
    """What CP-SAT took on the same puzzles."""
    cpsat = one["cpsat"]
    if cpsat is None:
        return "CP-SAT was not timed."
    read = one["puzzles"] - len(one["unreadable"])
    few = f"{cpsat['puzzles']} of them" if cpsat["puzzles"] < read else "the same puzzles"
    found = "" if cpsat["answered"] == cpsat["puzzles"] else f", {cpsat['answered']} answered"
    return f"CP-SAT, one thread: {speed(cpsat['puzzles_per_second'])} puzzles/s on {few}{found}.{_compared(one)}"


def _compared(one: Figures) -> str:
    ratio = one["rows"][0]["ratio_to_cpsat"]
    if not ratio:
        return ""
    if 0.95 <= ratio <= 1.05:
        return " CP-SAT is about as fast here."
    return f" CP-SAT is {speed(max(ratio, 1 / ratio))} times {'faster' if ratio < 1 else 'slower'} here."


def rich_table(one: Figures) -> Group:
    """One set at a terminal, narrow enough for 80 columns: the caption has the number, the last line the memory."""
    left_out = {"puzzles", "peak MB"} | ({"row"} if len(one["rows"]) == 1 else set())
    shown = {title: cell for title, cell in COLUMNS.items() if title not in left_out}
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for title in shown:
        side: Literal["left", "right"] = "left" if title == "row" else "right"
        table.add_column(title.replace(" ", "\n", 1), justify=side, no_wrap=title != "row", overflow="fold")
    for row in one["rows"]:
        table.add_row(*(cell(row) for cell in shown.values()), style="" if row["row"] == FULL else "dim")
    peak = max((row["peak_mb"] or 0.0 for row in one["rows"]), default=0.0)
    last = Text(f"{exact_search(one)} Peak memory {number(peak or None, 0)} MB.", style="dim")
    kinds: list[RenderableType] = [Text(), kinds_rich(one), Text()] if "kinds" in one else []
    told = [Text(said, style="dim") for said in remarks(one)]
    return Group(Text(caption(one), style="bold"), table, last, *kinds, *told, Text())


def markdown_table(one: Figures) -> str:
    """One set in Markdown."""
    rule = line("---" if title == "row" else "---:" for title in COLUMNS)
    lines = [f"## {escaped(caption(one))}", "", line(COLUMNS), rule]
    lines += [line(escaped(cell(row)) for cell in COLUMNS.values()) for row in one["rows"]]
    kinds = [kinds_markdown(one)] if "kinds" in one else []
    told = [*(f"- {escaped(said)}" for said in remarks(one)), ""] if any(remarks(one)) else []
    return "\n".join([*lines, "", exact_search(one), "", *kinds, *told])


def markdown_settings(settings: Figures) -> str:
    """The settings in Markdown, to stand below the tables."""
    return "\n".join(["## Settings", "", *(f"- {escaped(line)}" for line in header(settings)), ""])


def markdown(figures: Figures, plot: str) -> str:
    """results.md: a table per set, the plot, what the columns and rows mean, and the settings."""
    parts = [f"{TITLE}\n", *(markdown_table(one) for one in figures["sets"])]
    if not figures["complete"]:
        parts.insert(1, "**Interrupted: not every puzzle is done.**\n")
    parts += [
        f"![Puzzles solved by denoising steps]({plot})",
        "",
        "## Columns",
        "",
        *(f"- {name}: {meaning}" for name, meaning in LEGEND.items()),
        "",
    ]
    if any("kinds" in one for one in figures["sets"]):
        parts += ["## Columns of kinds", "", *(f"- {name}: {meaning}" for name, meaning in KIND_LEGEND.items()), ""]
    rows = [row["row"] for row in figures["sets"][0]["rows"]]
    if len(rows) > 1:
        parts += ["## Rows", "", *(f"- {row}: {MEANINGS[row]}" for row in rows), ""]
    return "\n".join([*parts, markdown_settings(figures["settings"])])


def _plain(value: Any) -> str:
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)


def _counted(number: int | None, thing: str) -> str:
    return f"{NONE if number is None else format(number, ',')} {thing}{'s' * (number != 1)}"
