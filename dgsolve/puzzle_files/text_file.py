"""Plain text: puzzles of one line each, grids of rows, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dgsolve.errors import PuzzleError
from dgsolve.problems.sudoku import Sudoku
from dgsolve.problems.sudoku_symbols import BLANKS, digits_first, letters, zero_first
from dgsolve.puzzle_files.base import Context, FileFormat, Line, PuzzleEntry
from dgsolve.puzzle_files.coded_lines import LibraryLine, TathamId
from dgsolve.puzzle_files.grids import SMALL_LINE, Found, fits, grids_of_rows, is_rule, is_surely_rule, width
from dgsolve.puzzle_files.pencil_lines import PencilLine
from dgsolve.puzzle_files.plain_line import NinePlain, PlainLine, without_note, wrong_length
from dgsolve.puzzle_files.readings import READINGS, characters, tokens
from dgsolve.puzzle_files.refusals import OtherRules, is_region_map, is_samurai, is_samurai_sheet, refusal

_LONGEST = 20_000  # characters of a line; the longest puzzle, 25x25 with candidates, has fewer
_MOST_ROWS = 50  # rows held back before they are cut into grids
_LINE_FORMATS = (NinePlain(), OtherRules(), TathamId(), LibraryLine(), PencilLine(), PlainLine())
_EMPTY = re.compile(r"\b(?:None|null|nan)\b", re.IGNORECASE)
_DATE = re.compile(r"\s*[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?![0-9.-]).*")
_SECTION = re.compile(r"\s*\[([A-Za-z ]+)\]\s*")


class TextFile(FileFormat):
    """Any text that no other family claims."""

    def sniff(self, first: str) -> bool:
        return True

    def entries(self, lines: Iterator[Line], context: Context) -> Iterator[PuzzleEntry]:
        return _without_variants(self.found(lines, context), context)

    def found(self, lines: Iterator[Line], context: Context) -> Iterator[Found]:
        """The grids one by one, those that belong together under other rules among them."""
        rows = _Rows(context)
        for line in lines:
            yield from rows.feed(line)
        yield from rows.close()


class _Rows:
    """The rows read so far of a grid that is not complete, and where in the file we are."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rows: list[Line] = []
        self.chunks: list[int] = []  # rows between blank lines
        self.name: str | None = None
        self.date: Line | None = None  # in place of a name; 1934.1.25 is as good a row of nine
        self.words: list[Line] = []  # single words of one length, which may turn out to be rows of letters
        self.skipping = False

    def feed(self, line: Line) -> Iterator[Found]:
        text = line.text
        if len(text) <= _LONGEST and (section := _SECTION.fullmatch(text)):
            self.skipping = section[1].strip().lower() != "puzzle"
            yield from self.close()
        elif self.skipping or text.lstrip().startswith(("#", "//")):
            return
        elif len(text) > _LONGEST and text.strip():
            yield from self.close()
            error = self.context.error(f"this line has {len(text)} characters: no puzzle is so long", line.number)
            yield Found(self.context.failed(error))
        elif is_surely_rule(text):
            return
        elif not text.strip():
            yield from self._gap(line)
        elif (found := _whole_line(line, self.context)) is not None:
            yield from self.close()
            yield found
        else:
            yield from self._row(line)

    def _row(self, line: Line) -> Iterator[Found]:
        line = Line(line.number, without_note(line.text))
        open_width = width(self.rows[-1:], self.context)[0] if self._chunk() else 0
        if open_width and open_width not in _widths(line) and fits(self.rows, self.context) is not None:
            yield from self.close()
            open_width = 0
        if is_rule(line.text) and not self.context.sizes & _widths(line):
            return
        if _is_heading(line.text, open_width, self.context):
            yield from self._heading(line)
        elif len(tokens(line)) > 25 or (len(characters(line)) > 25 and not self.context.sizes & _widths(line)):
            yield from self.close()
            yield Found(self.context.failed(wrong_length(line.text, line.number, self.context)))
        else:
            self.words = []
            self.rows.append(line)
            if len(self.rows) >= _MOST_ROWS:
                yield from self._cut()

    def _heading(self, line: Line) -> Iterator[Found]:
        """A name for what follows; but as many words as each has letters are the rows of a grid."""
        yield from self.close()
        self.name = line.text.strip()[:80] if any(char.isalnum() for char in line.text) else None
        self.date = line if _DATE.fullmatch(line.text) else None
        words = tokens(line)
        size = len(words[0].text) if len(words) == 1 else 0
        self.words = [*(word for word in self.words if len(word.text.strip()) == size), line]
        if size in self.context.sizes and len(self.words) == size:
            self.rows, self.words, self.name = self.words, [], None
            yield from self.close()

    def _chunk(self) -> int:
        """Rows since the last blank line."""
        return len(self.rows) - sum(self.chunks)

    def _gap(self, line: Line) -> Iterator[Found]:
        """A blank line ends a grid, unless it parts the bands of one, or is itself a row of spaces."""
        if not self._chunk():
            return
        if len(line.text) in self.context.sizes and {len(row.text) for row in self.rows} == {len(line.text)}:
            self.rows.append(line)
            return
        self.chunks.append(self._chunk())
        size = width(self.rows, self.context)[0]
        band = self.chunks[0]
        drawn = sum(not is_rule(row.text) for row in self.rows)
        if not (drawn < size and size % band == 0 and set(self.chunks) == {band}):
            yield from self.close()

    def _cut(self) -> Iterator[Found]:
        """Give out the first grid of many rows that no blank line parts."""
        rows, size = self.rows, width(self.rows, self.context)[0] or len(self.rows)
        prefixes = ((end, fits(rows[:end], self.context)) for end in range(size, len(rows)))
        end = next((end for end, found in prefixes if found is not None and len(found[2]) == size), size)
        self.rows = rows[:end]
        yield from self.close()
        self.rows = rows[end:]

    def close(self) -> Iterator[Found]:
        """Give out what has been collected."""
        rows, chunks, name, date = self.rows, self.chunks, self.name, self.date
        self.rows, self.chunks, self.name, self.date = [], [], None, None
        if date and rows and fits(rows, self.context) is None and fits([date, *rows], self.context) is not None:
            rows, name = [date, *rows], None
        before = sum(chunks) if sum(chunks) < len(rows) else sum(chunks[:-1])
        if before and fits(rows, self.context) is None and fits(rows[before:], self.context) is not None:
            yield from grids_of_rows(rows[:before], self.context, name)
            rows = rows[before:]
        if rows:
            yield from grids_of_rows(rows, self.context, name)


def _widths(line: Line) -> set[int]:
    """How many cells a line may have, depending on how it is read."""
    return {len(reading(line)) for reading in READINGS}


def _whole_line(line: Line, context: Context) -> Found | None:
    try:
        entries = (line_format.entry(line, context) for line_format in _LINE_FORMATS)
        entry = next((entry for entry in entries if entry is not None), None)
    except PuzzleError as error:
        entry = context.failed(error)
    return None if entry is None else Found(entry)


def _is_heading(text: str, open_width: int, context: Context) -> bool:
    """Words rather than cells: mostly letters that no alphabet of that width has, or too short for a row."""
    compact = "".join(_EMPTY.sub(".", text).replace("|", "").split())
    if open_width:
        return (
            not open_width - 2 <= len(compact) <= open_width + 2
            and _mostly_letters(compact)
            and not _spelled(compact, context)
        )
    short = len(text.strip()) < 4 and len(text) < 4
    return short or bool(_DATE.fullmatch(text)) or (_mostly_letters(compact) and not _spelled(compact, context))


def _mostly_letters(compact: str) -> bool:
    return 2 * sum(char.isalpha() for char in compact) > len(compact)


def _spelled(compact: str, context: Context) -> bool:
    """Whether some alphabet of this many values has all the characters."""
    used = set(compact.upper()) - BLANKS
    if context.symbols:
        return used <= {symbol.upper() for symbol in context.symbols}
    if 4 in context.sizes and SMALL_LINE.fullmatch(compact):
        return True
    size = len(compact)
    alphabets = (digits_first, zero_first, letters) if size > 9 else (digits_first,)
    return size in context.sizes and any(
        used <= set(alphabet(size)) | ({"X"} if size <= 9 else set()) for alphabet in alphabets
    )


def _without_variants(found: Iterator[Found], context: Context) -> Iterator[PuzzleEntry]:
    """The entries, with grids that belong together under other rules (jigsaw, samurai) refused as one."""
    held: list[Found] = []
    first = True
    for item in found:
        if item.size and is_region_map(item.cells, item.size) and held and held[-1].size == item.size:
            held[-1] = Found(context.failed(refusal("jigsaw", held[-1].entry.line or 0, context)))
            continue
        if item.size and is_samurai_sheet(item.cells, item.size):
            item = Found(context.failed(refusal("samurai", item.entry.line or 0, context)))
        held.append(item)
        if not item.size or not first or len(held) > 5:
            kept = [held.pop()] if item.size else []
            first = False
            yield from (earlier.entry for earlier in held)
            held = kept
    if first and is_samurai([item.entry.puzzle.givens for item in held if isinstance(item.entry.puzzle, Sudoku)]):
        held = [Found(context.failed(refusal("samurai", held[0].entry.line or 0, context)))]
    yield from (item.entry for item in held)
