"""A language denoiser as people use it: ask, and get an object of the type asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, NoReturn, TypeVar, overload

from dgsolve import chat
from dgsolve.confidence import confidence
from dgsolve.denoisers.base import Denoiser
from dgsolve.distribution import Distributions
from dgsolve.errors import Attempt, IncompleteOutputError, OutputFault, OutputValidationError, UsageError
from dgsolve.forms import Form, compile_form
from dgsolve.forms.json_form import FilledForm, JsonForm
from dgsolve.language.thinking import Markers, Thinking
from dgsolve.loop import solve_many
from dgsolve.loop import steps as denoising_steps
from dgsolve.many_prompts import ManyPrompts, with_images
from dgsolve.output_types.misuse import refuse_swapped
from dgsolve.plural import counted
from dgsolve.problem import Fault, TextProblem
from dgsolve.registry import PROBLEMS, find
from dgsolve.result import Event, Result, Usage
from dgsolve.sampling.settings import Sampling
from dgsolve.shortened import shown
from dgsolve.solution import Frame, Solution, Status
from dgsolve.switches import refuse_unswitched
from dgsolve.unknown_options import keywords, refuse_misplaced, refuse_unknown
from dgsolve.whole_numbers import is_whole

MAX_NEW_TOKENS = 256
NOT_SAID: Any = object()
T = TypeVar("T")
MOST_NEW_TOKENS = 32_768  # an automaton over more slots takes minutes before the first pass


class Model:
    """A denoiser that writes text. `dgsolve.load` and `dgsolve.from_transformers` make one."""

    def __init__(self, denoiser: Denoiser) -> None:
        self.denoiser = denoiser

    @property
    def name(self) -> str:
        return self.denoiser.name

    @overload
    def generate(self, prompt: Any, output_type: type[T], **options: Any) -> T: ...

    @overload
    def generate(self, prompt: Any, output_type: Any = ..., **options: Any) -> Any: ...

    def generate(self, prompt: Any, output_type: Any = NOT_SAID, **options: Any) -> Any:
        """The answer to `prompt` (a text, or messages) as an object of `output_type`; options, errors as in `run`."""
        return self.run(prompt, output_type, **options).output

    def run(self, prompt: Any, output_type: Any = NOT_SAID, **options: Any) -> Result:
        """Like `generate`, with the text, confidence and figures; see `Generator` for the options.

        Raises SchemaError, BudgetError before the model runs; IncompleteOutputError, OutputValidationError after.
        """
        refuse_unknown(options, (*ONCE, *EACH))
        if output_type is NOT_SAID:
            raise UsageError("the output type is missing", hint="Write it second: model.generate(prompt, output_type).")
        refuse_swapped(prompt, output_type)
        made = self.generator(output_type, **{name: options.pop(name) for name in ONCE if name in options})
        return made.run(prompt, **options)

    def generator(self, output_type: Any, **options: Any) -> Generator:
        """The output type compiled once, for many prompts; options are those of `Generator` itself."""
        refuse_misplaced(options, EACH, "Give it with each prompt: generator(prompt, {}=...).")
        refuse_unknown(options, ONCE)
        return Generator(self, output_type, **options)

    def __call__(self, *arguments: Any, **options: Any) -> NoReturn:
        """Refused: other libraries give a text here, and `generate` gives an object."""
        hint = "Write model.generate(prompt, output_type); model.run has the text and the figures too."
        raise UsageError("a model is not called itself", hint=hint)

    async def agenerate(self, prompt: Any, output_type: Any = NOT_SAID, **options: Any) -> Any:
        """`generate` in a thread of its own."""
        result = await asyncio.to_thread(self.run, prompt, output_type, **options)
        return result.output


class Generator:
    """Writes texts in one form. Call it with a prompt.

    max_new_tokens: slots for the text, the token that ends it included. fill: parts of the value that are given, as a
    partial value. lenient: drop what can neither be built in nor checked. instruct: one sentence that says what to
    answer with is added to the prompt, or to the last user message of it (of a copy). thinking: a thought of at most so
    many of these tokens, markers included, may come before the text; it is `result.thought`. thinking_markers: what
    opens and what closes it, where dgsolve does not know the model's own. For each prompt: `images` (a list of paths,
    bytes or images of Pillow, shown before the text of its last user message), `seed` (same seed, same text), `draw`
    (sample instead of taking the best), `time_limit` in seconds (looked at between steps: it cannot end a validator
    that never returns), `attempts` (texts that a validator may fault), and the other fields of `Sampling` by name.
    """

    def __init__(
        self,
        model: Model,
        output_type: Any,
        *,
        max_new_tokens: int = MAX_NEW_TOKENS,
        fill: Any = None,
        lenient: bool = False,
        instruct: bool = True,
        thinking: int | None = None,
        thinking_markers: Markers | None = None,
    ) -> None:
        if not is_whole(max_new_tokens) or not 1 <= max_new_tokens <= MOST_NEW_TOKENS:
            said = f"max_new_tokens={shown(max_new_tokens)}"
            raise UsageError(f"{said}: write a whole number from 1 to {MOST_NEW_TOKENS:,}")
        refuse_unswitched(instruct=instruct)
        self.model, self.max_new_tokens, self.instruct = model, int(max_new_tokens), instruct
        if thinking is None and thinking_markers is not None:
            said = f"thinking_markers={shown(thinking_markers)} without thinking="
            raise UsageError(said, hint="Say how many tokens: thinking=256.")
        text = model.denoiser.text
        self.thinking: Thinking | None = None
        if thinking is not None and text is not None:
            self.thinking = Thinking.of(thinking, text, thinking_markers)
        self.form = _filled(compile_form(output_type, lenient=lenient), fill)

    def __call__(self, prompt: Any, **options: Any) -> Any:
        return self.run(prompt, **options).output

    def run(self, prompt: Any, *, images: Any = None, **options: Any) -> Result:
        """The answer to one prompt, with all that is known about it."""
        _refuse_options(options, EACH)
        return self.result(next(iter(solve_many([self.problem(prompt, images)], self.model.denoiser, **options))))

    def batch(
        self, prompts: Iterable[Any], *, images: Any = None, return_exceptions: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Outputs in the order of the prompts, written together, each as soon as it and those before it are done.

        images: for each prompt a list of its images, or None.
        Where one has no valid text, or cannot be read, the outputs before it still come, then its error is raised, and
        with it the batch ends. With `return_exceptions` the error comes in its place, and the others go on.
        """
        _refuse_options(options, EACH)
        refuse_unswitched(return_exceptions=return_exceptions)
        if isinstance(prompts, str) or not isinstance(prompts, Iterable):
            raise UsageError(f"batch() takes many prompts, not one text: {shown(prompts)}", hint="Put it into a list.")
        shown_ones = with_images(prompts, images)
        many = ManyPrompts(self.problem, lambda it: self.result(it).output, return_exceptions=return_exceptions)
        return many.outputs(solve_many(many.problems(shown_ones), self.model.denoiser, **options))

    def stream(self, prompt: Any, *, images: Any = None, **options: Any) -> Iterator[Event]:
        """Snapshots while the text is written, the result with the last of them."""
        refuse_misplaced(options, set(EACH) - set(STREAMED), "A stream has none: leave it when you like, or take run.")
        _refuse_options(options, STREAMED)
        problem, settled = self.problem(prompt, images), 0
        frame: Frame | None = None
        for frame in denoising_steps(problem, self.model.denoiser, **options):
            text = problem.decode(frame.values)
            now = _settled_bytes(problem, frame)
            thought = problem.thought(frame.values)
            yield Event("commit" if now > settled else "draft", text, now, frame.step, thought=thought)
            settled = now
        if frame is None:
            raise UsageError("the model made no pass")
        result = self.result(frame.solution())
        yield Event("done", result.text, len(result.text.encode()), frame.step, result, result.thought)

    def problem(self, prompt: Any, images: Any = None) -> TextProblem:
        """The canvas problem that a prompt, with images before its text, is."""
        prompt = chat.read(prompt, images)
        if chat.images(prompt):
            self.model.denoiser.require_sight()
        if self.instruct:
            prompt = chat.instructed(prompt, self.form.instruction)
        denoiser = self.model.denoiser
        vocabulary = denoiser.text
        if vocabulary is None:
            raise UsageError(f"the {self.model.name} denoiser writes no text", hint='Load one that does: "smollm2".')
        limits = (self.max_new_tokens, denoiser.canvas_slots, self.thinking)
        made: TextProblem = find(PROBLEMS, "text")(self.form, vocabulary, prompt, *limits)
        denoiser.require_room(made, made.slots)
        return made

    def result(self, solution: Solution) -> Result:
        """A solution as the caller sees it; raises where there is no valid text."""
        usage = self._usage(solution)
        if solution.status is not Status.FEASIBLE:
            _refuse(solution, self.form, usage)
        text = str(solution.answer)
        return Result(
            self.form.read(text),
            text,
            confidence(solution, self.form),
            Distributions(self.model.denoiser, solution, self.form),
            usage,
            solution.steps,
            1 + len(solution.refused),
            solution.seed,
            "stop",
            solution.seconds,
            self.model.name,
            solution,
            thought=TextProblem.of(solution.problem).thought(solution.values),
            refused=_attempts(solution),
        )

    def _usage(self, solution: Solution) -> Usage:
        problem = TextProblem.of(solution.problem)
        written, thought = problem.written(solution.values), problem.thinking_tokens(solution.values)
        return Usage(self.model.denoiser.prompt_tokens(problem), written, solution.steps, thought)


ONCE = keywords(Generator.__init__)
STREAMED = ("images", *keywords(denoising_steps), *Sampling.names())
EACH = ("images", *keywords(solve_many), *Sampling.names())  # for each prompt


def _refuse_options(options: dict[str, Any], known: Sequence[str]) -> None:
    refuse_misplaced(options, ONCE, "Give it to the generator: model.generator(output_type, {}=...).")
    refuse_unknown(options, known)


def _filled(form: Form, fill: Any) -> Form:
    if fill is None:
        return form
    if not isinstance(form, JsonForm):
        hint = "Leave it out, or write the output type as JSON, with parts."
        raise UsageError(f"fill={shown(fill)}: only JSON outputs have parts to fill in", hint=hint)
    return form.filled(fill)


def _refuse(solution: Solution, form: Form, usage: Usage) -> NoReturn:
    """Raise what a solution without an answer means."""
    counts = asdict(usage)
    if solution.refused and not solution.timed_out:
        raise _never_valid(solution, form)
    text = solution.problem.decode(solution.values)
    what = "the time limit" if solution.timed_out else "the end of its steps"
    hint = "Give more time_limit= or max_denoising_steps=."
    message, late = f"the text was not complete at {what}", solution.timed_out
    raise IncompleteOutputError(message, text=text, usage=counts, timed_out=late, hint=hint)


def _never_valid(solution: Solution, form: Form) -> OutputValidationError:
    attempts = _attempts(solution)
    error = attempts[-1].errors[0]
    message = f"{counted(len(attempts), 'text')} in form, but none passed the validators: {error}"
    hint = "Give more attempts=, or say in the prompt what the validators want."
    if isinstance(form, FilledForm) and form.gives(error.pointer):
        hint = f"fill= gives {error.pointer or 'all of it'}, so it stays: give another value, or leave it out."
    return OutputValidationError(message, attempts=attempts, hint=hint)


def _attempts(solution: Solution) -> tuple[Attempt, ...]:
    """The texts that were refused."""
    return tuple(Attempt(text, tuple(map(_output_fault, faults))) for text, faults in solution.refused)


def _output_fault(fault: Fault) -> OutputFault:
    return OutputFault(str(fault.scope[0]), fault.message)


def _settled_bytes(problem: TextProblem, frame: Frame) -> int:
    """Bytes of the draft's text before the first slot that may still change."""
    slots = next((slot for slot, accepted in enumerate(frame.accepted) if not accepted), len(frame.accepted))
    return len(problem.decode(frame.values[:slots]).encode())
