"""Pairs of prompt and answer, read from lines of JSON, and drawn as batches of canvases."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.errors import UsageError
from dgsolve.shortened import shown
from dgsolve.train.small_tokenizer import END_OF_TURN, SPECIAL, small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class TextPair:
    """What is asked and what is to be answered; `box` (rows, columns) marks a Sudoku, whose answer its rules judge.

    line: where its file has it, from 1.
    """

    prompt: str
    answer: str
    puzzle: str = ""
    box: tuple[int, int] | None = None
    line: int = field(default=0, compare=False)


def read_pairs(path: Path) -> list[TextPair]:
    """The pairs of a file, one JSON object a line, blank ones aside; raises UsageError naming the line that is none."""
    hint = "`dgsolve data` writes such files."
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint=hint) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line} is no UTF-8: {error.reason}", hint="Save the file as UTF-8.") from error
    pairs = [_pair(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not pairs:
        raise UsageError(f"{path} has no pairs", hint=hint)
    return pairs


def _pair(path: Path, number: int, line: str) -> TextPair:
    try:
        row = json.loads(line)
        if not isinstance(row, dict):
            raise ValueError(f"it is {shown(row)}, no object")
        prompt, answer = (_text(row, key) for key in ("prompt", "answer"))
        if "box" not in row and "puzzle" not in row:
            return TextPair(prompt, answer, line=number)
        return TextPair(prompt, answer, *_grid(row, answer), line=number)
    except (ValueError, RecursionError) as error:
        said = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise UsageError(
            f"{path}:{number} is no pair of prompt and answer: {said}",
            hint='Each line is an object like {"prompt": "...", "answer": "..."}; `dgsolve data` writes some.',
        ) from error


def _text(row: dict[str, Any], key: str) -> str:
    if key not in row:
        raise ValueError(f"it has no {key!r}")
    text = row[key]
    if not isinstance(text, str) or not text:
        raise ValueError(f"its {key!r} is {shown(text)}, no text")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"its {key!r} has half a character (a lone surrogate)")
    return text


def _grid(row: dict[str, Any], answer: str) -> tuple[str, tuple[int, int]]:
    """The puzzle and the box of a Sudoku."""
    puzzle, box = _text(row, "puzzle"), row.get("box")
    if not (isinstance(box, list) and len(box) == 2 and all(type(side) is int and side > 0 for side in box)):
        raise ValueError(f"its 'box' is {shown(box)}, not [rows, columns]")
    size = math.prod(box)
    for name, text in (("puzzle", puzzle), ("answer", answer)):
        cells = text.replace("\n", "")
        if len(cells) != size * size or len(text) != len(answer):
            raise ValueError(
                f"its {name!r} has {len(cells)} cells, and with boxes of {box[0]}x{box[1]} it takes {size**2}"
            )
    return puzzle, (box[0], box[1])


def write_pairs(path: Path, pairs: Iterable[TextPair], progress: Callable[[int], None] = lambda done: None) -> None:
    """Write pairs, one JSON object a line, by an atomic rename; `progress` gets how many are done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.tmp")
    with unfinished.open("w", encoding="utf-8") as stream:
        for done, pair in enumerate(pairs, 1):
            sudoku = {"puzzle": pair.puzzle, "box": pair.box} if pair.box else {}
            stream.write(json.dumps({"prompt": pair.prompt, "answer": pair.answer} | sudoku) + "\n")
            if done % 500 == 0:
                progress(done)
    unfinished.replace(path)


@dataclass(frozen=True)
class CanvasBatch:
    """What the model reads and what its canvas should become, on the CPU until `to` copies it."""

    context: Tensor  # Int [B, P], padded on the left
    known: Tensor  # Bool [B, P]: not padding
    canvas: Tensor  # Int [B, L]: text, end of turn, padding
    text: Tensor  # Bool [B, L]: text or end of turn
    given: Tensor  # Bool [B, L]: what the prompt gives of the text, and all after it: what is locked in a grid

    def to(self, device: torch.device) -> CanvasBatch:
        tensors = self.context, self.known, self.canvas, self.text, self.given
        return CanvasBatch(*(tensor.to(device) for tensor in tensors))


@dataclass(frozen=True)
class PairTokens:
    """Pairs as a tokenizer and the chat template of its model write them."""

    pairs: Sequence[TextPair]
    tokenizer: PreTrainedTokenizerBase
    end_of_turn: int
    canvas_length: int

    @classmethod
    def of_small_model(cls, pairs: Sequence[TextPair], canvas_length: int) -> PairTokens:
        """Pairs as the small models that `dgsolve train diffusion-gemma` makes read and write them."""
        tokenizer = small_tokenizer()
        return cls(pairs, tokenizer, SPECIAL.index(END_OF_TURN), canvas_length)

    @property
    def weight(self) -> float:
        """How often these pairs are drawn beside others: by the length of their answers."""
        sample = self.pairs[:100]
        return sum(len(pair.answer) for pair in sample) / len(sample)

    def draw(
        self, count: int, generator: torch.Generator, *, whole_share: float = 1.0, cut_share: float = 0.0
    ) -> CanvasBatch:
        """A batch of random pairs, of a long answer one canvas of it, drawn evenly; what is before it is context.

        The canvases have `canvas_length` slots with a chance of `whole_share`, as many as the longest text needs with
        its end of turn otherwise, and with a chance of `cut_share` one less.
        """
        rows = []
        for index in torch.randint(len(self.pairs), (count,), generator=generator).tolist():
            prompt, answer = self._tokens(self.pairs[index])
            starts = range(0, len(answer), self.canvas_length)
            start = starts[int(torch.randint(len(starts), (), generator=generator))]
            some = slice(start, start + self.canvas_length)
            rows.append((prompt + answer[:start], answer[some], _given(self.pairs[index])[some]))
        chance = float(torch.rand((), generator=generator))
        longest = max(len(text) for _, text, _ in rows)
        slots = self.canvas_length if chance < whole_share else longest - (chance > 1 - cut_share and longest > 1)
        return self._padded(rows, slots)

    def _tokens(self, pair: TextPair) -> tuple[list[int], list[int]]:
        answer = self.tokenizer(pair.answer, add_special_tokens=False)["input_ids"]
        return chat.encode(self.tokenizer, pair.prompt), [*answer, self.end_of_turn]

    def _padded(self, rows: list[tuple[list[int], list[int], list[bool]]], slots: int) -> CanvasBatch:
        pad = self.tokenizer.pad_token_id
        widest = max(len(context) for context, _, _ in rows)
        lengths = torch.tensor([(len(context), len(text)) for context, text, _ in rows])
        context = [[pad] * (widest - len(context)) + context for context, _, _ in rows]
        canvas = [text[:slots] + [pad] * (slots - len(text)) for _, text, _ in rows]
        given = [marks[:slots] + [bool(marks)] * (slots - len(marks)) for _, _, marks in rows]
        return CanvasBatch(
            torch.tensor(context),
            torch.arange(widest) >= widest - lengths[:, :1],
            torch.tensor(canvas),
            torch.arange(slots) < lengths[:, 1:],
            torch.tensor(given),
        )


def _given(pair: TextPair) -> list[bool]:
    """Whether the puzzle gives each of its cells; a token is a cell. Nothing where there is no puzzle."""
    return [cell != "." for cell in pair.puzzle]
