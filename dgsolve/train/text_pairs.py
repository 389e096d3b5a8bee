"""Pairs of prompt and answer, read from lines of JSON, and drawn as batches of canvases."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.errors import UsageError
from dgsolve.train.small_tokenizer import END_OF_TURN, SPECIAL, small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class TextPair:
    """What is asked and what is to be answered; `box` (rows, columns) marks a Sudoku, whose answer its rules judge."""

    prompt: str
    answer: str
    puzzle: str = ""
    box: tuple[int, int] | None = None


def read_pairs(path: Path) -> list[TextPair]:
    """The pairs of a file with one JSON object a line; raises UsageError naming the line that is none."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="`dgsolve data sudoku` writes such files.") from error
    pairs = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            box = row.get("box")
            pairs.append(TextPair(row["prompt"], row["answer"], row.get("puzzle", ""), tuple(box) if box else None))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"{path}:{number} is no pair of prompt and answer ({type(error).__name__}: {error})",
                hint='Each line is an object like {"prompt": "...", "answer": "..."}; `dgsolve data` writes some.',
            ) from error
    if not pairs:
        raise UsageError(f"{path} has no pairs", hint="`dgsolve data sudoku` writes some.")
    return pairs


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
