"""The files of pairs that a run learns from, and those kept for testing beside them, checked before it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dgsolve import chat
from dgsolve.errors import UsageError
from dgsolve.train.text_pairs import PairTokens, TextPair, read_pairs

HELD_OUT = "_held_out"
CHUNK = 1000
SURE = 16  # tokens; a prompt counted without its template's own borders may be off by a few


@dataclass(frozen=True)
class PairFiles:
    """The pairs of each file NAME.jsonl, and of NAME_held_out.jsonl where that lies beside it."""

    learnt: dict[Path, list[TextPair]]
    held_out: dict[Path, list[TextPair]]

    @classmethod
    def read(cls, files: Sequence[Path]) -> PairFiles:
        """Raises UsageError for what cannot be read, and where a prompt that is kept for testing would be learnt."""
        for file in files:
            if file.stem.endswith(HELD_OUT):
                name = file.with_name(f"{file.stem.removesuffix(HELD_OUT)}{file.suffix}")
                hint = f"Learn from {name}; or rename it, where it is not for testing."
                raise UsageError(f"{file} is kept for testing, by its name", hint=hint)
        learnt = {file: read_pairs(file) for file in files}
        beside = [file.with_name(f"{file.stem}{HELD_OUT}.jsonl") for file in learnt]
        held_out = {test: read_pairs(test) for test in beside if test.exists()}
        known = {pair.prompt: f"{file}:{pair.line}" for file, pairs in learnt.items() for pair in pairs}
        for test, pairs in held_out.items():
            for pair in pairs:
                if pair.prompt in known:
                    message = f"{test}:{pair.line} is kept for testing, and {known[pair.prompt]} has the same prompt"
                    raise UsageError(message, hint="Leave it out of one of the two.")
        return cls(learnt, held_out)

    def tokens(self, written: Callable[[Sequence[TextPair]], PairTokens], context: int) -> list[PairTokens]:
        """What is learnt, as a model of this context reads and writes it: `written` makes it of the pairs of a file.

        Raises UsageError naming the first line that the model cannot read or write.
        """
        found = {path: written(pairs) for path, pairs in (self.learnt | self.held_out).items()}
        for path, pairs in found.items():
            _require_fitting(path, pairs, context)
        return [found[path] for path in self.learnt]


def _require_fitting(path: Path, tokens: PairTokens, context: int) -> None:
    borders = len(chat.encode(tokens.tokenizer, "x"))  # what the chat template writes around a prompt
    for start in range(0, len(tokens.pairs), CHUNK):
        some = tokens.pairs[start : start + CHUNK]
        prompts, answers = (
            tokens.tokenizer(texts, add_special_tokens=False)["input_ids"]
            for texts in ([pair.prompt for pair in some], [pair.answer for pair in some])
        )
        written = tokens.tokenizer.batch_decode(answers, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        for pair, prompt, answer, back in zip(some, prompts, answers, written, strict=True):
            place = f"{path}:{pair.line}"
            if back != pair.answer:
                raise _unwritable(place, pair, back)
            _require_canvas(place, pair, len(answer), tokens.canvas_length)
            room = tokens.canvas_length * -(-(len(answer) + 1) // tokens.canvas_length)  # whole canvases, with the end
            if len(prompt) + borders + room > context - SURE:
                _require_room(place, len(chat.encode(tokens.tokenizer, pair.prompt)), room, context)


def _unwritable(place: str, pair: TextPair, back: str) -> UsageError:
    same = next((n for n, (a, b) in enumerate(zip(pair.answer, back, strict=False)) if a != b), len(back))
    message = f"{place}: the model's tokenizer cannot write this answer: from character {same + 1} on "
    message += f"{pair.answer[same : same + 20]!r} would come back as {back[same : same + 20]!r}"
    return UsageError(message, hint="Leave the pair out, or write its answer with other characters.")


def _require_canvas(place: str, pair: TextPair, answer: int, canvas_length: int) -> None:
    """A Sudoku stands in one canvas, a token a cell."""
    if pair.box is None:
        return
    if answer != len(pair.answer):
        message = f"{place}: the model's tokenizer writes the {len(pair.answer)} cells of this grid as {answer} tokens"
        raise UsageError(message, hint="A grid is learnt a token a cell: leave out its box and puzzle.")
    if answer + 1 > canvas_length:
        message = f"{place}: the grid takes {answer + 1} slots with its end, and the model's canvas has {canvas_length}"
        raise UsageError(message, hint="Leave it out, or take a model with a longer canvas.")


def _require_room(place: str, prompt: int, room: int, context: int) -> None:
    if prompt + room > context:
        raise UsageError(
            f"{place}: the prompt has {prompt:,} tokens and the answer takes canvases of {room:,}, together more than "
            f"the {context:,} tokens of the model's context",
            hint="Shorten it, leave it out, or take a model with a longer context.",
        )
