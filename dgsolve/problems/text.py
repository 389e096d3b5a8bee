"""A text in a given form, as a canvas of tokens under the form's automaton."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from dgsolve.errors import BudgetError
from dgsolve.forms.base import Form, TextFault
from dgsolve.language.token_table import min_tokens
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.problem import Fault, Problem, Report, Vocabulary

if TYPE_CHECKING:
    import numpy as np

    from dgsolve.canvas import Canvas
    from dgsolve.constraints.token_automaton import TokenAutomaton


@dataclass(frozen=True, eq=False)
class Text(Problem):
    """Answer `prompt` (a text, or messages) by a text in `form` of at most `max_new_tokens` tokens, its end included.

    `vocabulary` is that of the denoiser that writes it.
    """

    name: ClassVar[str] = "text"
    any_answer: ClassVar[bool] = False

    form: Form
    vocabulary: TextVocabulary
    prompt: Any = None
    max_new_tokens: int = 256

    def canvas(self, vocabulary: Vocabulary, *, propagate: bool = True) -> Canvas:
        """All slots open. Raises BudgetError where no text in form is short enough."""
        import torch

        from dgsolve.canvas import Canvas

        constraint = _automaton(self.form, self.vocabulary, self.max_new_tokens)
        tokens = torch.full((1, self.max_new_tokens), self.vocabulary.pad_id)
        return Canvas(tokens, torch.zeros_like(tokens, dtype=torch.bool), constraint)

    def decode(self, values: Sequence[int]) -> str:
        """The text before the first token that ends it; slots that hold nothing yet (-1) end it too."""
        pieces = (self.vocabulary.pieces[token] or b"" for token in values[: self._length(values)])
        return b"".join(pieces).decode("utf-8", "replace")

    def check(self, answer: Any) -> Report:
        return Report(tuple(Fault(fault.message, (fault.pointer,)) for fault in _faults(self.form, answer)))

    def faulty_slots(self, values: np.ndarray) -> np.ndarray:
        import numpy as np

        marks = np.zeros(values.shape, dtype=bool)
        for row, draft in enumerate(values.tolist()):
            for fault in _faults(self.form, self.decode(draft)):
                slots = self.slots_of(draft, *fault.span) if fault.span else range(0)
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

    def describe(self) -> str:
        return f"{self.form.name}, at most {self.max_new_tokens} tokens"

    def shape(self) -> Hashable:
        return (type(self), id(self.form), self.vocabulary.fingerprint, self.max_new_tokens)

    def slots_of(self, values: Sequence[int], low: int, high: int) -> range:
        """The slots whose tokens touch the bytes low .. high - 1 of the text."""
        starts = self._starts(values)
        touched = [slot for slot in range(len(starts) - 1) if starts[slot] < high and starts[slot + 1] > low]
        return range(touched[0], touched[-1] + 1) if touched else range(0)

    def pieces(self, values: Sequence[int]) -> list[str]:
        decoder = getincrementaldecoder("utf-8")("replace")  # a character may be spread over several tokens
        return [decoder.decode(self.vocabulary.pieces[token] or b"") for token in values[: self._length(values)]]

    def written(self, values: Sequence[int]) -> int:
        """How many tokens the text has, the one that ends it included."""
        return min(self._length(values) + 1, len(values))

    def _length(self, values: Sequence[int]) -> int:
        """How many slots hold text."""
        ends = {*self.vocabulary.end_ids, self.vocabulary.pad_id, -1}
        return next((slot for slot, token in enumerate(values) if token in ends), len(values))

    def _starts(self, values: Sequence[int]) -> list[int]:
        """The byte at which each slot's text starts, and the end."""
        starts = [0]
        for token in values[: self._length(values)]:
            starts.append(starts[-1] + len(self.vocabulary.pieces[token] or b""))
        return starts


@lru_cache(maxsize=16)
def _automaton(form: Form, vocabulary: TextVocabulary, length: int) -> TokenAutomaton:
    """An open canvas's constraint; what it finds out about its table serves all canvases of the form."""
    from dgsolve.constraints.token_automaton import TokenAutomaton

    table = form.table(vocabulary)
    if (fewest := min_tokens(table)) > length:
        raise BudgetError(fewest, length)
    return TokenAutomaton.begin(table, length, pieces=vocabulary.pieces)


@lru_cache(maxsize=64)
def _faults(form: Form, text: str) -> tuple[TextFault, ...]:
    """A draft is judged once, however often the loop asks."""
    return form.faults(text)
