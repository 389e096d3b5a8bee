"""A text in a given form, as a canvas of tokens under the form's automaton."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import BudgetError
from dgsolve.forms.base import Form, TextFault
from dgsolve.language.thinking import MOST_BLANKS, Thinking, blanks, with_thought
from dgsolve.language.token_spans import TokenSpans
from dgsolve.language.token_table import min_tokens
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.problem import Fault, Report, TextProblem, Vocabulary

if TYPE_CHECKING:
    import numpy as np

    from dgsolve.canvas import Canvas
    from dgsolve.constraints.token_automaton import TokenAutomaton


@dataclass(frozen=True, eq=False)
class Text(TextProblem):
    """Answer `prompt` (a text, or messages) by a text in `form` of at most `max_new_tokens` tokens, its end included.

    `vocabulary` is that of the denoiser that writes it, `canvas_slots` how many slots its blocks have (None: any
    number); the canvas is a whole number of such blocks, with padding beyond `max_new_tokens`. `thinking`: a
    thought may come first, within the same tokens; answer, check and byte spans know nothing of it.
    """

    name: ClassVar[str] = "text"
    any_answer: ClassVar[bool] = False

    form: Form
    vocabulary: TextVocabulary
    prompt: Any = None
    max_new_tokens: int = 256
    canvas_slots: int | None = None
    thinking: Thinking | None = None

    @property
    def slots(self) -> int:
        """Slots of its canvas."""
        block = self.canvas_slots or self.max_new_tokens
        return -(-self.max_new_tokens // block) * block

    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        """All slots open. Raises BudgetError where no text in form is short enough."""
        import torch

        from dgsolve.canvas import Canvas

        constraint = _automaton(self.form, self.vocabulary, self.max_new_tokens, self.slots, self.thinking)
        tokens = torch.full((1, self.slots), self.vocabulary.pad_id)
        return Canvas(tokens, torch.zeros_like(tokens, dtype=torch.bool), constraint)

    def decode(self, values: Sequence[int]) -> str:
        """The text before the first token that ends it; slots that hold nothing yet (-1) end it too."""
        return self._spelled(values[self.start(values) : self._length(values)])

    def thought(self, values: Sequence[int]) -> str | None:
        """What was thought before the text, without its markers; None where the text has no thought."""
        if self.thinking is None:
            return None
        markers = (self.thinking.opening, self.thinking.closing)
        written = values[: self.thinking_tokens(values)]
        return self._spelled([token for token in written if token not in markers]).removeprefix(self.thinking.heading)

    def check(self, answer: Any) -> Report:
        return Report(tuple(Fault(fault.message, (fault.pointer,)) for fault in _faults(self.form, answer)))

    def faulty_slots(self, values: np.ndarray) -> np.ndarray:
        import numpy as np

        marks = np.zeros(values.shape, dtype=bool)
        for row, draft in enumerate(values.tolist()):
            spans = self.token_spans(draft)
            for fault in _faults(self.form, self.decode(draft)):
                slots = spans.slots(*fault.span) if fault.span else range(0)
                marks[row, list(slots) or slice(None)] = True
        return marks

    def repaired(self, canvas: Canvas, draft: Sequence[int], tries: int) -> Canvas:
        """Pin what surrounds the faulty slots; the second time what is before them alone; the third time nothing."""
        import numpy as np
        import torch

        faulty = torch.from_numpy(self.faulty_slots(np.array([draft])))  # [1, L]
        written = torch.arange(faulty.shape[1]) < self._length(draft)
        anew = (faulty, faulty.cumsum(1) > 0, torch.ones_like(faulty))[(tries - 1) % 3]
        return self.canvas(self.vocabulary).lock(torch.tensor([list(draft)]), ~anew & written)

    def __str__(self) -> str:
        return str(self.prompt)

    def describe(self) -> str:
        return f"{self.form.name}, at most {self.max_new_tokens} tokens"

    def shape(self) -> Hashable:
        return (type(self), id(self.form), self.vocabulary.fingerprint, self.max_new_tokens, self.slots, self.thinking)

    def pieces(self, values: Sequence[int]) -> list[str]:
        decoder = getincrementaldecoder("utf-8")("replace")  # a character may be spread over several tokens
        return [decoder.decode(self.vocabulary.pieces[token] or b"") for token in values[: self._length(values)]]

    def forced(self, values: Sequence[int]) -> list[bool]:
        """A piece is forced where the form leaves no choice about any of its bytes, whatever the tokens."""
        start = min(self.start(values), self._length(values))
        acceptor, state, found = self.form.acceptor(), 0, [False] * start
        for token in values[start : self._length(values)]:
            certain = True
            for byte in self.vocabulary.pieces[token] or b"":
                certain = certain and state >= 0 and acceptor.only_byte(state)
                state = acceptor.step(state, byte) if state >= 0 else state
            found.append(certain)
        return found

    def written(self, values: Sequence[int]) -> int:
        """How many tokens were written, a thought and the token that ends the text included."""
        return min(self._length(values) + 1, len(values))

    def thinking_tokens(self, values: Sequence[int]) -> int:
        """How many of these a thought takes up, its markers included."""
        return min(self._thought(values), self._length(values))

    def start(self, values: Sequence[int]) -> int:
        """The slot at which the text begins: after a thought, and the white space behind it."""
        slot = self._thought(values)
        if self.thinking is not None:
            blank = _blanks(self.form, self.vocabulary)
            written = takewhile(blank.__contains__, values[slot : slot + MOST_BLANKS])
            slot += sum(1 for _ in written)
        return slot

    def _length(self, values: Sequence[int]) -> int:
        """How many slots hold text."""
        ends = {*self.vocabulary.end_ids, self.vocabulary.pad_id, -1}
        return next((slot for slot, token in enumerate(values) if token in ends), len(values))

    def token_spans(self, values: Sequence[int]) -> TokenSpans:
        """Where each slot's text lies; made once for many `slots`."""
        start = self.start(values)
        pieces = (self.vocabulary.pieces[token] or b"" for token in values[: self._length(values)])
        lengths = (len(piece) if slot >= start else 0 for slot, piece in enumerate(pieces))
        return TokenSpans(tuple(accumulate(lengths, initial=0)))

    def _thought(self, values: Sequence[int]) -> int:
        """How many slots a thought takes up, its markers included: all of them until it is closed."""
        if self.thinking is None:
            return 0
        end = self.thinking.end(list(values))
        return len(values) if end is None else end

    def _spelled(self, tokens: Sequence[int]) -> str:
        return b"".join(self.vocabulary.pieces[token] or b"" for token in tokens).decode("utf-8", "replace")


@lru_cache(maxsize=16)
def _automaton(
    form: Form, vocabulary: TextVocabulary, budget: int, slots: int, thinking: Thinking | None
) -> TokenAutomaton:
    """An open canvas's constraint; what it finds out about its table serves all canvases of the form."""
    from dgsolve.constraints.token_automaton import TokenAutomaton

    table = form.table(vocabulary)
    if thinking is not None:
        table = with_thought(table, vocabulary, thinking)
    if (fewest := min_tokens(table)) > budget:
        raise BudgetError(fewest, budget)
    thought = slots if thinking is None else thinking.tokens
    return TokenAutomaton.begin(table, slots, pieces=vocabulary.pieces, budget=budget, thought=thought)


@lru_cache(maxsize=16)
def _blanks(form: Form, vocabulary: TextVocabulary) -> frozenset[int]:
    """The tokens of white space that may follow a thought."""
    import numpy as np

    return frozenset(np.flatnonzero(blanks(form.table(vocabulary), vocabulary)).tolist())


@lru_cache(maxsize=64)
def _faults(form: Form, text: str) -> tuple[TextFault, ...]:
    """A draft is judged once, however often the loop asks."""
    return form.faults(text)
