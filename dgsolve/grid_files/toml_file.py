"""TOML: one grid a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from dgsolve.errors import PuzzleError
from dgsolve.grid_files.base import GridContext, GridEntry, GridFormat
from dgsolve.grid_files.kind_names import kind_of_record
from dgsolve.grid_files.places import toml_line
from dgsolve.grid_files.record import grid_of_record
from dgsolve.grid_files.spellings import refuse_two_spellings
from dgsolve.puzzle_files.base import Line
from dgsolve.whole_numbers import MOST_DIGITS

LONGEST = 1 << 24  # characters, far beyond a grid of as many cells and rules as can be: junk must not fill the memory
_LONG = re.compile(f"(?:[0-9]_?){{{MOST_DIGITS + 1}}}")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlFile(GridFormat):
    """Whatever begins like a table or a key; [Puzzle] and [State] are of Sudokus."""

    def sniff(self, first: str) -> bool:
        return re.match(r"\s*(\[\[?\s*(?!(Puzzle|State)\])[\w\"']|[\w\"'-]+\s*=)", first) is not None

    def entries(self, lines: Iterator[Line], context: GridContext) -> Iterator[GridEntry]:
        listed = list(_within(LONGEST, lines))
        if sum(len(line.text) + 1 for line in listed) > LONGEST:
            message = f"this file of one grid is longer than {LONGEST} characters"
            yield context.failed(context.error(message, listed[-1].number))
            return
        above = "\n" * (listed[0].number - 1)  # blank lines that were passed over
        text = above + "\n".join(line.text for line in listed)
        try:
            record = tomllib.loads(text)
            grid = grid_of_record(record, allow_python=context.allow_python)
            refuse_two_spellings(grid, listed)
        except tomllib.TOMLDecodeError as error:
            yield context.failed(_broken(error, listed[-1].number, context))
        except ValueError:  # of int(), which tomllib lets through
            line = next((line.number for line in listed if _LONG.search(line.text)), 0)
            yield context.failed(context.error(f"a number has more than {MOST_DIGITS} digits", line))
        except RecursionError:
            yield context.failed(context.error("this is not a grid: nested too deeply", listed[0].number))
        except PuzzleError as error:
            yield context.failed(error, toml_line(text, error.key or ""), kind=kind_of_record(record))
        else:
            yield GridEntry(grid, file=context.file, line=listed[0].number, kind=kind_of_record(record))


def _within(most: int, lines: Iterator[Line]) -> Iterator[Line]:
    """The lines up to the first that goes beyond so many characters."""
    for line in lines:
        yield line
        most -= len(line.text) + 1
        if most < 0:
            return


def _broken(error: tomllib.TOMLDecodeError, last: int, context: GridContext) -> PuzzleError:
    place = _PLACE.search(str(error))
    line, column = (int(place[1]), int(place[2])) if place and place[1] else (last, 0)
    words = _PLACE.sub("", str(error)) + (" at the end of the file" if place and not place[1] else "")
    hint = "Write a text that has a \\ in it between three ' in place of \"." if "\\" in words else ""
    return context.error(f"this is not TOML: {words[:1].lower()}{words[1:]}", line, column=column, hint=hint)
