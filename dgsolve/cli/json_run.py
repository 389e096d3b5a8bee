"""What `dgsolve json` does once its options are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dgsolve.cli.exits import Exit
from dgsolve.cli.talk import Talk
from dgsolve.errors import UsageError
from dgsolve.plural import counted

if TYPE_CHECKING:
    from dgsolve.images import Image
    from dgsolve.model import Generator
    from dgsolve.result import Result

SHOWN = 8  # values of one part that a person is told


@dataclass(frozen=True)
class Request:
    """What was asked for."""

    prompt: str
    output_type: Any
    model: str
    fill: str | None
    lenient: bool
    once: dict[str, Any]  # options of the generator
    each: dict[str, Any]  # options of its run
    threads: int
    save_trace: Path | None
    placement: Mapping[str, Any] = field(default_factory=dict)  # options of loading the model
    images: Sequence[Image] = ()


def run(request: Request, talk: Talk, output: Path | None, *, as_json: bool) -> Exit:
    """Write the answer; errors are raised for the application to put into words."""
    result = _watched(_generator(request, talk), request, talk)
    if not as_json:
        _write(result.text, output)
    try:
        with talk.busy("Looking at how sure the model was"):
            found = envelope(result, distribution=talk.verbose) if as_json else {}
            choices = told_choices(result) if talk.verbose else ""
    except KeyboardInterrupt:
        if as_json:
            _write(json.dumps(envelope(result), ensure_ascii=False), output)  # the answer must not be lost
        raise
    if as_json:
        _write(json.dumps(found, ensure_ascii=False), output)
    for number, attempt in enumerate(result.refused, 1):
        talk.note(f"text {number} was faulted: {'; '.join(fault.message for fault in attempt.errors)}")
    if choices:
        talk.detail(choices)
    talk.note(told(result))
    return Exit.SOLVED


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, flush=True)
        return
    try:
        output.write_text(text + "\n", "utf-8")
    except OSError:
        print(text, flush=True)  # written already, so it must not be lost
        raise


def _generator(request: Request, talk: Talk) -> Generator:
    """All that comes before the first pass of the model."""
    fill = None if request.fill is None else _fill(request.fill)
    with talk.busy("Building the schema's automaton"):
        from dgsolve.forms import compile_form

        form = compile_form(request.output_type, lenient=request.lenient)
        for warning in getattr(form, "warnings", ()):
            talk.note(f"note: {warning}")
    with talk.busy(f"Loading {request.model}") as say:
        import torch

        from dgsolve.chat import instructed
        from dgsolve.loading import load_model

        torch.set_num_threads(request.threads)
        prompt = instructed(request.prompt, form.instruction) if request.once["instruct"] else request.prompt
        asked = {"sees": bool(request.images), "prompt": prompt, "new_tokens": request.once["max_new_tokens"]}
        model = load_model(request.model, say, **asked, **request.placement)
    with talk.busy("Fitting the automaton to the model's tokens"):
        generator = model.generator(form, fill=fill, **request.once)
        if model.denoiser.text is not None:
            generator.form.table(model.denoiser.text)
    return generator


def _watched(generator: Generator, request: Request, talk: Talk) -> Result:
    from dgsolve.ui.live import live_canvas

    with ExitStack() as stack:
        watchers = []
        if request.save_trace is not None:
            from dgsolve.ui.trace import TraceWriter

            trace = TraceWriter(request.save_trace)
            stack.callback(lambda: talk.steps_saved(trace.path) if trace.begun else None)
            watchers.append(stack.enter_context(trace).on_frame)
        canvas = live_canvas(talk.console, quiet=talk.quiet, waiting="Reading the prompt ...")
        watchers.append(stack.enter_context(canvas).on_frame)
        options: dict[str, Any] = {**request.each, "on_frame": lambda frame: [watch(frame) for watch in watchers]}
        return generator.run(request.prompt, images=request.images, **options)


def envelope(result: Result, *, distribution: bool = False) -> dict[str, Any]:
    """The `--json` object of an answer. Fields are added over time, never renamed.

    `distribution` only where it is asked for: it takes passes of the model that the answer does not need.
    """
    found: dict[str, Any] = {
        "output": json.loads(result.text),
        "text": result.text,
        "confidence": {pointer: round(p, 6) for pointer, p in result.confidence.items()},
        "steps": result.steps,
        "attempts": result.attempts,
        "refused": [{"text": text, "errors": [fault._asdict() for fault in faults]} for text, faults in result.refused],
        "usage": asdict(result.usage),
        "seed": result.seed,
        "finish_reason": result.finish_reason,
        "seconds": round(result.seconds, 4),
        "model": result.model,
    }
    if result.thought is not None:
        found["thought"] = result.thought
    if distribution:
        found["distribution"] = {
            pointer: {name: round(p, 6) for name, p in result.distribution[pointer].items()}
            for pointer in result.distribution.innermost
        }
    return found


def told_choices(result: Result) -> str:
    """How probable each value of the parts with more than one was, a line each, the likeliest first."""
    lines = []
    for pointer in result.distribution.innermost:
        shares = result.distribution[pointer]
        if len(shares) > 1:
            likeliest = sorted(shares.items(), key=lambda item: -item[1])[:SHOWN]
            said = ", ".join(f"{name} {p:.1%}" for name, p in likeliest)
            lines.append(f"{pointer or 'the whole'}: {said}{', ...' if len(shares) > SHOWN else ''}")
    return "\n".join(lines)


def told(result: Result) -> str:
    """One line for a person."""
    tokens, passes = counted(result.usage.completion_tokens, "token"), counted(result.usage.passes, "pass", "passes")
    return f"{tokens} in {passes} of {result.model}, {result.seconds:.1f} s, seed {result.seed}"


def _fill(text: str) -> Any:
    from dgsolve.language import json_text

    try:
        given = json_text.parse(text)
    except json_text.JsonTextError as error:
        raise UsageError(f"--fill is not JSON: {error}", hint=error.hint) from error
    if given is None:
        raise UsageError("--fill null gives nothing", hint="Leave it out, or give an object with some of the keys.")
    return given
