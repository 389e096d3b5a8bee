"""What can happen as a text is read, letter by letter: the states of a deterministic automaton, made when asked for.

A state is what must hold of the rest of the text, and what look-behind has seen of the text so far. Look-ahead adds
conditions on the rest; a look-behind that has looked ahead itself carries them along. So every look-around, nested and
repeated as it may be, is exact. Source: A. Chandra, D. Kozen, L. Stockmeyer, "Alternation", 1981.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from dgsolve.language.regex.formula import FALSE, TRUE, Case, Condition, Formula, Formulas, Not, negation
from dgsolve.language.regex.graph import DONE, Graph, Guard

Reached = dict[int, Formula]  # nodes, each with the condition on the rest of the text on which it was reached
Behind = tuple[Formula, ...]  # for each look-behind, on which condition what it looks for ends here
Past = tuple[tuple[frozenset[tuple[int, Formula]], ...], Behind]  # for each look-behind, what it has reached
State = tuple[Formula, int]  # (what must hold of the rest, number of the past)


class Walk:
    """Walks over a graph whose node n reads one of `letters[n]`; there are `alphabet` letters."""

    def __init__(self, graph: Graph, letters: Sequence[tuple[int, ...]], alphabet: int) -> None:
        self.formulas = Formulas()
        self._graph, self._letters = graph, [frozenset(some) for some in letters]
        self._alphabet = frozenset(range(alphabet))
        self._points = [frozenset[Condition]({node} - {DONE}) for node in range(len(letters))]
        self._pasts: dict[Past, int] = {}
        self._past_list: list[Past] = []
        self._opened: dict[tuple[int, Behind], Formula] = {}
        self._relevant: dict[Case, frozenset[int]] = {}
        self._advanced: dict[tuple[Case, int, Behind], Formula] = {}
        self._later: dict[tuple[int, int], int] = {}

    def start(self, node: int) -> State:
        """The state before the first letter, from where `node` is to lead to DONE."""
        past = self._past(lambda number, _: {self._graph.behind[number][0]: TRUE})
        return self._open(node, self._past_list[past][1]), past

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """The state after each letter, save those after which no text can match."""
        formula, past = state
        cases_of: defaultdict[int, list[Case]] = defaultdict(list)
        for case in formula:
            for letter in self._letters_of(case):
                cases_of[letter].append(case)
        for letter, cases in cases_of.items():
            later = self._later_past(past, letter)
            rest = self._advance(cases, letter, self._past_list[later][1])
            if rest:
                yield letter, (rest, 0 if rest == TRUE else later)

    def _open(self, node: int, behind: Behind) -> Formula:
        """What must hold of the rest for a walk from `node` to come to DONE."""
        if (node, behind) not in self._opened:
            ends = self._ends({node: TRUE}, behind)
            cases = {case | self._points[at] if case else self._points[at] for case, at in ends}
            self._opened[node, behind] = self.formulas.either(cases)
        return self._opened[node, behind]

    def _ends(self, reached: Reached, behind: Behind) -> Iterator[tuple[Case, int]]:
        """Where moves that read nothing lead: to nodes that read and to ends, each on a condition."""
        seen: defaultdict[Case, set[int]] = defaultdict(set)
        pending = [(case, node) for node, formula in reached.items() for case in formula]
        for case, node in pending:
            for at in self._walk(node, seen[case]):
                if at in self._graph.guarded:
                    guard, target = self._graph.guarded[at]
                    pending += [(case | more, target) for more in self._condition(guard, behind)]
                elif self._letters[at] or not self._graph.moves[at]:
                    yield case, at

    def _walk(self, node: int, seen: set[int]) -> list[int]:
        """The nodes to which moves without conditions lead, this one too, save those seen, to which it adds them."""
        fresh = [] if node in seen else [node]
        seen.add(node)
        for at in fresh:
            targets = [target for target in self._graph.moves[at] if target not in seen]
            fresh += targets
            seen.update(targets)
        self.formulas.spend(1 + len(fresh) // 2)
        return fresh

    def _condition(self, guard: Guard, behind: Behind) -> Formula:
        condition = behind[guard.place] if guard.behind else self._open(guard.place, behind)
        return negation(condition) if guard.negative else condition

    def _letters_of(self, case: Case) -> frozenset[int]:
        """The letters after which the case may still hold."""
        if case not in self._relevant:
            nodes = (self._letters[condition] for condition in case if not isinstance(condition, Not))
            self._relevant[case] = self._alphabet.intersection(*nodes)
        return self._relevant[case]

    def _advance(self, formula: Formula | list[Case], letter: int, behind: Behind) -> Formula:
        """What must hold after `letter` for the formula to hold before it; `behind` is as it is after it."""
        return self.formulas.either(set().union(*(self._advance_case(case, letter, behind) for case in formula)))

    def _advance_case(self, case: Case, letter: int, behind: Behind) -> Formula:
        key = (case, letter, behind)
        if key not in self._advanced:
            formula = TRUE
            for condition in case:
                formula = self.formulas.both(formula, self._advance_condition(condition, letter, behind))
            self._advanced[key] = formula
        return self._advanced[key]

    def _advance_condition(self, condition: Condition, letter: int, behind: Behind) -> Formula:
        if isinstance(condition, Not):
            return negation(self._advance(condition.formula, letter, behind))
        return self._open(self._graph.targets[condition], behind) if letter in self._letters[condition] else FALSE

    def _later_past(self, past: int, letter: int) -> int:
        if (past, letter) not in self._later:
            self._later[past, letter] = self._past(
                lambda number, behind: self._read(self._past_list[past][0][number], letter, behind)
            )
        return self._later[past, letter]

    def _read(self, reached: frozenset[tuple[int, Formula]], letter: int, behind: Behind) -> Reached:
        """Where a look-behind gets from these nodes by reading `letter`."""
        found: defaultdict[int, set[Case]] = defaultdict(set)
        for node, formula in reached:
            if letter in self._letters[node]:
                found[self._graph.targets[node]] |= self._advance(formula, letter, behind)
        return {node: self.formulas.either(cases) for node, cases in found.items()}

    def _past(self, arrive: Callable[[int, Behind], Reached]) -> int:
        """The number of the past in which look-behind k has come to `arrive(k, what ends here of those before k)`."""
        reached: list[frozenset[tuple[int, Formula]]] = []
        behind: Behind = ()
        for number, (_, last) in enumerate(self._graph.behind):
            found: defaultdict[int, set[Case]] = defaultdict(set)
            for case, node in self._ends(arrive(number, behind), behind):
                found[node].add(case)
            formulas = {node: self.formulas.either(cases) for node, cases in found.items()}
            behind += (formulas.pop(last, FALSE),)
            reached.append(frozenset(formulas.items()))
        past = (tuple(reached), behind)
        if past not in self._pasts:
            self._pasts[past] = len(self._past_list)
            self._past_list.append(past)
        return self._pasts[past]
