"""Results as lines of JSON, each written at once: a run that was broken off goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


class Results:
    """Results by name, in `path` and in memory; in memory alone without a path.

    `settings` is the first line: a file of other settings is refused, since its results do not belong to these.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        self.path, self.found = path, dict[str, Any]()
        plain = json.loads(json.dumps(settings, default=str))
        if path is None:
            return
        if not (lines := _whole_lines(path)):
            path.write_text(json.dumps({"settings": plain}) + "\n", encoding="utf-8")
            return
        for name in _differing(json.loads(lines[0])["settings"], plain):
            raise SystemExit(f"{path} holds results of another {name}: name another file, or remove it.")
        self.found = {line.pop("name"): line for line in map(json.loads, lines[1:])}

    def __contains__(self, name: str) -> bool:
        return name in self.found

    def add(self, name: str, result: dict[str, Any]) -> None:
        """Keep a result; its line is on disk when this returns."""
        self.found[name] = result
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"name": name, **result}) + "\n")

    def of(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """The results that there are of these names."""
        return [self.found[name] for name in names if name in self.found]


def _whole_lines(path: Path) -> Sequence[str]:
    """The lines of the file; what was written of a last one when the process was killed is cut off."""
    if not path.exists():
        return ()
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        path.write_bytes(whole)
    return whole.decode("ascii").splitlines()


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return [name for name in {**before, **now} if before.get(name) != now.get(name)]
