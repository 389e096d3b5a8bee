"""`dgsolve json`: let a language model answer in JSON that fits a schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dgsolve.cli import options
from dgsolve.cli.option_words import reword
from dgsolve.cli.schema_input import read_schema
from dgsolve.errors import DgsolveError, UsageError
from dgsolve.images import read_all
from dgsolve.sampling.settings import Sampling

EXIT_CODES = (
    "Exit codes: 0 a valid answer, 1 no valid answer, 2 wrong usage or a schema that cannot be used, 3 no value fits "
    "the schema, 4 model unavailable, 5 time limit, 130 Ctrl-C."
)


def json(
    prompt: Annotated[
        str | None, typer.Argument(metavar="PROMPT", help="What to ask; text piped in goes before it.")
    ] = None,
    schema: Annotated[
        str, typer.Option("-s", "--schema", metavar="SCHEMA", help="A file, JSON, module:Model, or 'name, age int'.")
    ] = "",
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="smollm2, diffusion-gemma, random, or a language model's folder or owner/name."
        ),
    ] = "smollm2",
    adapter: options.Adapter = None,
    device: options.Device = None,
    dtype: options.Dtype = None,
    quantize: options.Quantize = None,
    image: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="An image before the prompt; may be given several times.")
    ] = None,
    max_new_tokens: Annotated[int, typer.Option(metavar="N", min=1, help="Tokens of the answer, at most.")] = 256,
    thinking: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens of these that a thought before the answer may have.")
    ] = None,
    thinking_markers: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="OPEN CLOSE", help="The model's tokens around a thought, where not known."),
    ] = None,
    fill: Annotated[
        str | None, typer.Option(metavar="JSON", help="Parts of the answer that are given, as JSON.")
    ] = None,
    no_instruct: Annotated[
        bool, typer.Option("--no-instruct", help="Leave out the sentence that tells the model what to answer with.")
    ] = False,
    draw: Annotated[bool, typer.Option("--draw", help="Sample instead of taking the most probable.")] = False,
    t_max: Annotated[
        float | None, typer.Option(metavar="T", help="Temperature of what is drawn; lower is surer (0.8).")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=options.MOST_STEPS, help="Passes of the model a text, at most (1024)."),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Drop keywords that can be neither built in nor checked, and list them.")
    ] = False,
    attempts: Annotated[int, typer.Option(metavar="N", min=1, help="Texts to try where a validator faults them.")] = 8,
    seed: options.Seed = 0,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=options.MOST_THREADS, help="CPU threads.")] = 1,
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="Looked at between steps.")] = None,
    as_json: options.Json = False,
    output: options.Output = None,
    save_trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep every step for dgsolve replay.")] = None,
    quiet: options.Quiet = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Say on stderr how probable each value of a choice was.")
    ] = False,
    debug: options.Debug = False,
) -> None:
    """Let a language model answer in JSON that fits a schema, always."""
    from dgsolve.cli.json_run import Request, run
    from dgsolve.cli.talk import Talk

    if not schema:
        raise UsageError("say what the answer must be: --schema", hint="For instance --schema 'name, age int'.")
    if output is not None and not output.absolute().parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {output.parent}", hint="Make it first.")
    thought = {"thinking": thinking, "thinking_markers": thinking_markers}
    once = {"max_new_tokens": max_new_tokens, "instruct": not no_instruct, **thought}
    try:
        each = {"draw": draw, "attempts": attempts, "seed": seed, "time_limit": time_limit, **_given(t_max, steps)}
        wanted = (read_schema(schema), model, fill, lenient)
        place = options.placement(adapter, device, dtype, quantize)
        request = Request(_prompt(prompt, schema), *wanted, once, each, threads, save_trace, place, read_all(image))
        code = run(request, Talk(quiet, verbose), output, as_json=as_json)
    except DgsolveError as error:
        reword(error)
        raise
    raise typer.Exit(code)


json.__doc__ = f"""{json.__doc__}

The answer goes to stdout, everything else to stderr. With --json: one object with the answer, its text, the confidence
of every part, and the figures. With -v also how probable each value of an enum, boolean or other choice was.

{EXIT_CODES}

Examples:

  dgsolve json "Maria is 34, from Lisbon." --schema 'name, age int, city'

  cat mail.txt | dgsolve json "Who wrote this?" --schema contact.json --json

  dgsolve json "A table at 8" --schema app:Booking --fill '{{"guests": 2}}'

  dgsolve json "What was bought?" --image receipt.jpg --schema 'items [string], total number' --model FOLDER

  dgsolve json "Is it late?" --schema '{{"enum": ["yes", "no"]}}' --draw --seed 7
"""


def _given(t_max: float | None, steps: int | None) -> dict[str, float]:
    """What is left to the denoiser where it is not said."""
    if t_max is not None:
        Sampling(t_max=t_max, t_min=min(t_max, Sampling.t_min))  # refused before a model is loaded
    given: dict[str, float] = {} if steps is None else {"max_denoising_steps": steps}
    return given if t_max is None else given | {"t_max": t_max}


def _prompt(prompt: str | None, schema: str) -> str:
    """What was piped in, then the prompt of the command line; `-` there is what was piped in, alone."""
    alone = prompt == "-"
    piped = "" if schema.strip() == "-" or (sys.stdin.isatty() and not alone) else _read_stdin()
    parts = [part for part in (piped.strip("\n"), None if alone else prompt) if part and part.strip()]
    if not parts:
        raise UsageError("there is no prompt", hint="Write it as an argument, or pipe a text in.")
    return "\n\n".join(parts)


def _read_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8: {error.reason} at byte {error.start}") from error
