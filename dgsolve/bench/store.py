"""The folder of a run: its settings, and every result the moment it is there, so that nothing is solved twice."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dgsolve.bench.exact_speed import ExactSpeed
from dgsolve.bench.plan import Plan, option_name
from dgsolve.bench.record import Record
from dgsolve.bench.tally import Tally
from dgsolve.errors import UsageError

SETTINGS, RECORDS = "settings.json", "results.jsonl"
UNCOMPARED = {"machine"}  # told, but a run may go on after the system was updated


class Store:
    """Tallies of what is done, by set and row, and the file that they are read from again.

    Every line of results.jsonl is of one kind: "puzzle" (a Record), "unreadable" (a puzzle), "cpsat" (an ExactSpeed) or
    "end" (of a row).
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder, self.settings = folder, dict(settings)
        self.tallies: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
        self.cpsat: dict[str, ExactSpeed] = {}
        self.unread: Counter[str] = Counter()  # puzzles of each set that could not be read

    @classmethod
    def create(cls, folder: Path, settings: Mapping[str, Any]) -> Store:
        """A new run; raises UsageError where the folder holds one or cannot be written."""
        if (folder / RECORDS).exists() or (folder / SETTINGS).exists():
            hint = f"Go on with it: dgsolve bench --resume {folder}; or name another folder."
            raise UsageError(f"{folder} already holds a run", hint=hint)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / SETTINGS).write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", "utf-8")
            (folder / RECORDS).touch()
        except OSError as error:
            raise UsageError(f"cannot write in {folder}: {error.strerror}", hint="Name another folder.") from error
        return cls(folder, settings)

    @classmethod
    def resume(cls, folder: Path, settings: Mapping[str, Any]) -> Store:
        """What a run left; raises UsageError where its settings were others."""
        before, now = read_settings(folder), json.loads(json.dumps(settings))
        for name in before.keys() | now.keys():
            if name not in UNCOMPARED and before.get(name) != now.get(name):
                raise changed(folder, name, before.get(name), now.get(name))
        store = cls(folder, before)
        store._read()
        return store

    def add(self, record: Record) -> None:
        """Keep one puzzle's result."""
        self.tallies[record.set, record.row].add(record)
        self._append({"kind": "puzzle", **record.to_json()})

    def add_unreadable(self, name: str, puzzle: Mapping[str, Any]) -> None:
        """Keep that a puzzle of a set could not be read, and why."""
        self.unread[name] += 1
        self._append({"kind": "unreadable", "set": name, **puzzle})

    def add_cpsat(self, name: str, speed: ExactSpeed) -> None:
        """Keep the speed of exact search on a set."""
        self.cpsat[name] = speed
        self._append({"kind": "cpsat", "set": name, **speed.to_json()})

    def end(self, name: str, row: str, peak_mb: float | None) -> None:
        """Keep the memory at the end of a row."""
        self.tallies[name, row].saw_peak(peak_mb)
        self._append({"kind": "end", "set": name, "row": row, "peak_mb": peak_mb})

    def _append(self, line: dict[str, Any]) -> None:
        with (self.folder / RECORDS).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _read(self) -> None:
        path = self.folder / RECORDS
        path.touch()
        _cut_broken_line(path)
        with path.open(encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                try:
                    self._take(json.loads(text))
                except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
                    hint = "Remove it and the lines after it: those puzzles are solved again. Or start anew with -o."
                    raise UsageError(f"{path}, line {number}: this is no result of bench", hint=hint) from error

    def _take(self, line: dict[str, Any]) -> None:
        kind = line.pop("kind")
        if kind == "puzzle":
            record = Record.from_json(line)
            self.tallies[record.set, record.row].add(record)
        elif kind == "unreadable":
            self.unread[line["set"]] += 1
        elif kind == "cpsat":
            name = line.pop("set")
            self.cpsat[name] = ExactSpeed.from_json(line)
        else:
            self.tallies[line["set"], line["row"]].saw_peak(line["peak_mb"])


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings of the run in `folder`; raises UsageError where there is none."""
    try:
        settings: dict[str, Any] = json.loads((folder / SETTINGS).read_text("utf-8"))
        settings["plan"] = Plan.from_json(settings["plan"]).to_json()  # with the fields that older runs have not
    except OSError as error:
        raise UsageError(f"{folder} holds no run: {SETTINGS} is missing", hint="Name the folder of a run.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder / SETTINGS} is not what bench wrote", hint="Start a new run with -o.") from error
    return settings


def changed(folder: Path, name: str, before: Any, now: Any) -> UsageError:
    """The error for a run that would go on with other settings; of nested values the first that differs is named."""
    while isinstance(before, dict) and isinstance(now, dict):
        outer = name
        name, before, now = next(
            (key, before.get(key), now.get(key)) for key in [*before, *now] if before.get(key) != now.get(key)
        )
        name = option_name(name) if outer == "plan" else f"{outer} {name}"
    return UsageError(
        f"the run in {folder} cannot go on: {name} was {_told(before)} and is {_told(now)} now",
        hint="Figures of different settings do not belong in one table. Start a new run with -o.",
    )


def _told(value: Any) -> str:
    return "not there" if value is None else json.dumps(value, ensure_ascii=False)


def _cut_broken_line(path: Path) -> None:
    """Drop what was written of a last line when the process was killed."""
    with path.open("rb+") as stream:
        end = stream.seek(0, 2)
        while end:
            start = max(end - 4096, 0)
            stream.seek(start)
            place = stream.read(end - start).rfind(b"\n")
            if place >= 0:
                stream.truncate(start + place + 1)
                return
            end = start
        stream.truncate(0)
