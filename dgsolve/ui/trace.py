"""Traces: the frames of runs in a file of JSON lines, gzip-compressed where its name ends in .gz.

    {"trace": "dgsolve", "version": 1}
    {"puzzle": {"kind": "sudoku", "title": "...", "text": "...", "grid": {"rows": 9, ...} or null}}
    {"frame": {"step": 1, "values": [...], "probability": [...], "entropy": [...], "accepted": "0110...", ...}}

A puzzle line holds for the frames after it, up to the next puzzle line. Numbers are kept exactly.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from dgsolve.errors import PuzzleError, UsageError
from dgsolve.problem import Problem
from dgsolve.solution import Frame
from dgsolve.ui import trace_lines
from dgsolve.ui.recorded_problem import RecordedProblem

VERSION = 1
_HEAD = {"trace": "dgsolve", "version": VERSION}


class TraceWriter:
    """Writes frames as they come; `on_frame` fits `solve(..., on_frame=...)`. Raises UsageError where it cannot write.

    with TraceWriter("run.jsonl.gz") as trace:
        solve(problem, on_frame=trace.on_frame)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._problem: Problem | None = None
        self._recorded: RecordedProblem | None = None
        try:
            self._file = _open(self.path, "wt")
        except OSError as error:
            message = f"cannot write the trace {path}: {error.strerror}"
            raise UsageError(message, hint="Name a file in a folder that exists.") from error
        self._write(_HEAD)

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError as failed:
            raise self._unwritable(failed) from failed

    @property
    def begun(self) -> bool:
        """Whether there is a frame in it."""
        return self._problem is not None

    def on_frame(self, frame: Frame) -> None:
        """Write one frame, and its puzzle first where that is not the puzzle of the frame before."""
        if frame.problem is not self._problem:
            self._problem, self._recorded = frame.problem, RecordedProblem.of(frame.problem)
            self._write({"puzzle": trace_lines.puzzle_fields(self._recorded)})
        self._write({"frame": trace_lines.frame_fields(frame)})

    def _write(self, record: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(record, separators=(",", ":")) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"cannot write the trace {self.path}: {error.strerror}", hint="Name another file.")


def save_trace(path: str | Path, frames: Iterable[Frame]) -> None:
    """Write frames to a file, gzip-compressed where its name ends in .gz; raises UsageError where it cannot write."""
    with TraceWriter(path) as trace:
        for frame in frames:
            trace.on_frame(frame)


def load_trace(path: str | Path) -> tuple[Frame, ...]:
    """The frames of a file, each with a RecordedProblem; raises PuzzleError with the line that cannot be read."""
    lines = _read(Path(path))
    line, head = next(lines, (1, {}))
    if head.get("trace") != "dgsolve":
        raise _bad(path, line, "this is not a dgsolve trace")
    if head.get("version") != VERSION:
        raise _bad(path, line, f"trace version {head.get('version')!r} is not known, only {VERSION}", "Update dgsolve.")
    frames: list[Frame] = []
    problem: RecordedProblem | None = None
    for line, record in lines:
        try:
            if "puzzle" in record:
                problem = trace_lines.recorded_problem(record["puzzle"])
            elif problem is None:
                raise ValueError("a frame stands before the first puzzle")
            else:
                frames.append(trace_lines.frame(record["frame"], problem))
        except KeyError as error:
            raise _bad(path, line, f"{error} is missing") from error
        except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
            raise _bad(path, line, str(error)) from error
    if not frames:
        raise _bad(path, None, "the trace holds no frame")
    return tuple(frames)


def _read(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line's number and JSON object."""
    line = 0
    try:
        with _open(path, "rt") as file:
            for line, text in enumerate(file, 1):
                record = json.loads(text)
                if not isinstance(record, dict):
                    raise _bad(path, line, "the line is no JSON object")
                yield line, record
    except OSError as error:
        raise _bad(path, None, f"cannot be read: {error.strerror or error}") from error
    except (EOFError, RecursionError, ValueError, zlib.error) as error:
        raise _bad(path, line + isinstance(error, EOFError), f"the line is damaged or cut off: {error}") from error


def _bad(path: str | Path, line: int | None, message: str, hint: str = "") -> PuzzleError:
    return PuzzleError(message, file=str(path), line=line, hint=hint or "A trace is written with --save-trace FILE.")


def _open(path: Path, mode: str) -> IO[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    return cast(IO[str], opener(path, mode, encoding="utf-8", newline="\n"))
