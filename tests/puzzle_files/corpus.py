"""One puzzle in the many forms that people have it in."""

WIKI = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [WIKI[start : start + 9] for start in range(0, 81, 9)]
GIVENS = tuple(int(cell) if cell != "." else 0 for cell in WIKI)


def joined(cells: str, blank: str = ".", start: str = "", end: str = "\n") -> str:
    """The rows with something between the cells."""
    return end.join(start + cells.join(cell if cell != "." else blank for cell in row) + start for row in ROWS)


def lists(blank: str, cell: str = "%s") -> str:
    """A list of cells to a line."""
    return ",\n".join("[" + ", ".join(cell % char if char != "." else blank for char in row) + "]" for row in ROWS)


def boxed(bar: str = "|", dash: str = "-", corner: str = "+", blank: str = ".") -> str:
    """The grid as it is drawn with boxes."""
    rule = corner + corner.join([dash * 7] * 3) + corner
    lines = []
    for number, row in enumerate(ROWS):
        lines += [rule] if number % 3 == 0 else []
        parts = (" ".join(row[start : start + 3]).replace(".", blank) for start in (0, 3, 6))
        lines.append(f"{bar} " + f" {bar} ".join(parts) + f" {bar}")
    return "\n".join([*lines, rule])


def parted(between_bands: str, bar: str = "|", edge: str = "") -> list[str]:
    """Rows cut by bars, with a line between bands."""
    lines = []
    for number, row in enumerate(ROWS):
        lines += [between_bands] if number in (3, 6) else []
        lines.append(edge + bar.join((row[:3], row[3:6], row[6:])) + edge)
    return lines


def candidates(first: str = "5") -> list[str]:
    """A grid of candidates: open cells list 1234."""
    lines = []
    for row in ROWS:
        cells = [cell if cell != "." else "1234" for cell in row]
        lines.append(" | ".join("  ".join(cells[start : start + 3]) for start in (0, 3, 6)))
    return [lines[0].replace("5", first, 1), *lines[1:]]


ONE_PUZZLE = {
    "81 characters": WIKI,
    "zeros": WIKI.replace(".", "0"),
    "stars": WIKI.replace(".", "*"),
    "underscores": WIKI.replace(".", "_"),
    "letters x": WIKI.replace(".", "x"),
    "question marks": WIKI.replace(".", "?"),
    "dashes": WIKI.replace(".", "-"),
    "spaces": WIKI.replace(".", " "),
    "no-break spaces": WIKI.replace(".", "\u00a0"),
    "full-width digits": "".join(chr(ord(cell) + 0xFEE0) if cell.isdigit() else cell for cell in WIKI),
    "byte order mark": "\ufeff" + WIKI,
    "81 words": " ".join(WIKI),
    "nine words": " ".join(ROWS),
    "rows": "\n".join(ROWS) + "\n",
    "rows CRLF": "\r\n".join(ROWS),
    "rows CR": "\r".join(ROWS),
    "rows of spaces": "\n".join(row.replace(".", " ") for row in ROWS),
    "rows of dashes": "\n".join(row.replace(".", "-") for row in ROWS),
    "bands apart": "\n\n".join("\n".join(ROWS[start : start + 3]) for start in (0, 3, 6)),
    "double spaced": "\n\n".join(ROWS),
    "words": joined(" ", "0") + "\n",
    "commas": joined(",", "?"),
    "commas, nothing for blanks": joined(",", ""),
    "semicolons": joined(";", "0"),
    "tabs, nothing for blanks": joined("\t", ""),
    "quoted table": "\n".join(",".join(f'"{cell}"' if cell != "." else '""' for cell in row) for row in ROWS),
    "Markdown table": "\n".join("| " + " | ".join(row).replace(".", " ") + " |" for row in ROWS),
    "spaces between, spaces for blanks": "\n".join(" ".join(row.replace(".", " ")) for row in ROWS),
    "quoted rows": "\n".join(f'"{row}",' for row in ROWS),
    "C array": "{\n" + lists("0").replace("[", "{").replace("]", "}") + "\n};",
    "assignment": "int[][] grid = {\n" + lists("0").replace("[", "{").replace("]", "}") + "\n};",
    "Python lists": "[\n" + lists("None") + "]",
    "NumPy": "[[" + "]\n [".join(" ".join(row.replace(".", "0")) for row in ROWS) + "]]",
    "boxed": boxed(),
    "boxed, light lines": boxed("│", "─", "┼"),
    "boxed, heavy lines": boxed("┃", "━", "╋"),
    "boxed, double lines": boxed("║", "═", "╬"),
    "boxed, dashes as blanks": boxed(blank="-"),
    "boxed, underscores as blanks": boxed(blank="_"),
    "boxed, spaces as blanks": boxed(blank=" "),
    ".ss": "\n".join(parted("-----------")),
    "Simple Sudoku clipboard": "\n".join(
        [" *-----------*", *parted("|---+---+---|", edge="|"), " *-----------*", "", "Simple Sudoku Version 4.2n"]
    ),
    ".sdk with headers": "#AAuthor 3\n#D17 clues\n#B03-08-2006\n#SSome 9 source\n#L2\n" + "\n".join(ROWS),
    ".sdk with sections": "[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join([SOLUTION[:9]] * 9),
    "heading": "Grid 01\n" + "\n".join(ROWS),
    "number above": "1.\n" + "\n".join(ROWS),
    "note //": WIKI + " // from somewhere 12",
    "note #": WIKI + "   # 1 note",
    "SudokuExchange": "0000183b305c " + WIKI.replace(".", "0") + " 1.2",
    "two fields": WIKI + "," + SOLUTION,
    "CSV": "quizzes,solutions\n" + WIKI.replace(".", "0") + "," + SOLUTION,
    "CSV, other order": 'id,solution,rating,"puzzle"\n7,' + SOLUTION + ",2.5," + f'"{WIKI}"',
    "CSV, semicolons": "source;question;answer;rating\nx;" + WIKI + ";" + SOLUTION + ";4",
    "HoDoKu library": ":0000:x:" + WIKI.replace("3", "+3", 1) + ":::",
    "OpenSudoku": f'<?xml version="1.0"?>\n<opensudoku>\n<game data="{WIKI.replace(".", "0")}"/>\n</opensudoku>',
    "JSON rows": "[" + lists("null").replace("\n", "") + "]",
    "JSON rows over lines": "[\n" + lists("-1") + "\n]",
    "JSON text": f'"{WIKI}"',
    "JSON object": f'{{"puzzle": "{WIKI}"}}',
    "JSON object over lines": f'{{\n "difficulty": 3,\n "puzzle":\n "{WIKI}"\n}}',
    "JSON rows of text": "[" + ",".join(f'"{row}"' for row in ROWS) + "]",
    "JSON cells": '{"grid": [' + lists('{"given": false}', '{"value": %s}') + "]}",
}  # fmt: skip
