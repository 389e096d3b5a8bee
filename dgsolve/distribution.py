"""For the parts of a text that are choices, as enums and booleans are: how probable each of them was."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dgsolve.confidence import part_slots
from dgsolve.forms.base import Form, Span
from dgsolve.forms.json_form import JsonForm
from dgsolve.language.choices import choices, compact, texts_that_begin_with
from dgsolve.problem import TextProblem

if TYPE_CHECKING:
    from dgsolve.constraints.base import CanvasLaw
    from dgsolve.constraints.indexed_table import IndexedTable
    from dgsolve.denoisers.base import Denoiser
    from dgsolve.solution import Solution


class Distribution(dict[str, float]):
    """The probability of each value that could have stood there, by its JSON text (a plain text as it is).

    They and `rest` sum to 1. rest: the share of spellings that were not looked at, at most 1e-6 unless there are very
    many ways to spell the choices; 0 for a denoiser of whole canvases.
    """

    rest: float = 0.0


class Distributions(Mapping[str, Distribution]):
    """By JSON Pointer, each computed when it is first asked for, given the text before that part, spaces aside.

    A thought is given too, as it was written, with the white space behind it.

    Its keys are the parts for which the form left at most 256 values after that text. With c over these values:
    - A causal model writes by q, left to right within the form. P(c) = sum over the sequences of tokens that spell c
      after the tokens before it, of the product of q(x_k | x_<k). That takes some passes of the model.
    - A denoiser of whole canvases has the posterior of its last step. P(c) = Z(texts that begin as this one and hold c)
      / Z(texts that begin as this one). That takes an automaton for each value, and no pass. Of a text over several
      blocks, Z is over the slots of those that the part lies in, given the blocks before; what a canvas leaves open
      at the end of these counts for each value that may still come. Where all proposals for such a text are too many to
      keep (a gigabyte), its keys are the parts that could have one value alone.
    Both count every way to cut a text into tokens. What a judge alone enforces is no part of either.
    """

    def __init__(self, denoiser: Denoiser, solution: Solution, form: Form) -> None:
        self._denoiser, self._form, self._plain = denoiser, form, not isinstance(form, JsonForm)
        self._problem = TextProblem.of(solution.problem)
        self._values, self._posterior = solution.values, solution.posterior
        self._text = str(solution.answer).encode()
        self._known: dict[str, Distribution] = {}
        self._slots = part_slots(solution, form)

    def __getitem__(self, pointer: str) -> Distribution:
        if pointer not in self._known:
            names = self._choices[pointer]
            if len(names) == 1:
                self._known[pointer] = Distribution(dict.fromkeys(names, 1.0))
            elif self._posterior is None:
                self._known[pointer] = self._written(pointer, names)
            else:
                self._known[pointer] = self._on_canvas(pointer, names, self._posterior)
        return self._known[pointer]

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {list(self)}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    @property
    def innermost(self) -> list[str]:
        """Its keys, but for choices with choices inside: how those fell says it all but for what was cut short.

        An object of three booleans is a choice of eight, each with very many spellings, which takes a minute.
        """
        open_ = [pointer for pointer, names in self._choices.items() if len(names) > 1]
        around = {outer for outer in open_ if any(inner.startswith(f"{outer}/") for inner in open_)}
        return [pointer for pointer in self if pointer not in around]

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return self._form.spans(self._text.decode())

    @cached_property
    def _choices(self) -> dict[str, dict[str, bytes]]:
        acceptor = self._form.acceptor()
        found = {
            pointer: choices(acceptor, self._text, None if self._plain else span)
            for pointer, span in self._spans.items()
        }
        known = self._posterior is not None or self._denoiser.drafting.left_to_right
        return {pointer: names for pointer, names in found.items() if len(names) == 1 or (known and names)}

    @cached_property
    def _table(self) -> IndexedTable:
        """The text's own automaton, whatever was thought before it."""
        from dgsolve.constraints.indexed_table import IndexedTable

        return IndexedTable(self._form.table(self._problem.vocabulary))

    def _written(self, pointer: str, names: Mapping[str, bytes]) -> Distribution:
        """From left to right."""
        from dgsolve.choice_tree import ChoiceTree, Passes

        low, high = self._spans[pointer]
        spans = self._problem.token_spans(self._values)
        slot = max(spans.slots(low, high).start, self._problem.start(self._values))
        start = spans.starts[slot]
        reading = compact(self._text[:start])[1]
        before = compact(self._text[start:low], reading)[0]
        passes = Passes(self._denoiser, self._problem, self._values, slot)
        targets = {before + text: name for name, text in names.items()}
        shares, rest = ChoiceTree(self._table, passes, targets, reading, plain=self._plain).shares()
        found = Distribution(shares)
        found.rest = rest
        return found

    def _on_canvas(self, pointer: str, names: Mapping[str, bytes], posterior: CanvasLaw) -> Distribution:
        """Z of the texts that hold each value, under the same logits."""
        from dgsolve.constraints.other_texts import log_weight
        from dgsolve.language.algebra import intersect
        from dgsolve.language.token_table import compile_tokens

        problem, (low, _) = self._problem, self._spans[pointer]
        window = posterior.window(self._slots[pointer])
        before = b"" if self._plain else compact(self._text[:low])[0]
        start, logs = problem.start(self._values), {}
        for name, text in names.items():
            narrower = intersect(self._form.acceptor(), texts_that_begin_with(before + text, plain=self._plain))
            table = compile_tokens(narrower, problem.vocabulary)
            logs[name] = log_weight(window, table, start, problem.max_new_tokens, self._values)
        best = max(logs.values())
        weights = {name: math.exp(log - best) for name, log in logs.items()}
        total = sum(weights.values())
        return Distribution({name: weight / total for name, weight in weights.items()})
