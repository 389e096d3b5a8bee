"""Whatever proposes the tokens, the text fits the schema: a denoiser that knows nothing, judged by others.

For every schema that compiles, one text for each seed is drawn from the random denoiser. Every text is judged by
jsonschema-rs called directly (formats on, no key twice), and by llguidance where it compiles the schema too. llguidance
is wrong about some schemas, so each text that it refuses is printed with its schema's file. It takes no raw DEL (0x7f),
which JSON allows in strings, so it reads the text with DEL written as an escape: the same value.

    python benchmarks/soundness.py --folder ../shared/data/jsonschemabench --cases ../shared/data/cases/structured.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from dgsolve import Model
from dgsolve.denoisers.random import RandomDenoiser
from dgsolve.errors import DgsolveError, SchemaError
from dgsolve.forms import compile_form
from dgsolve.language.json_schema.dialect import dialect_of
from dgsolve.language.vocabulary import TextVocabulary, from_tokenizer

DATA = Path(__file__).parents[2] / "shared" / "data"
VALIDATORS = {
    4: "Draft4Validator",
    6: "Draft6Validator",
    7: "Draft7Validator",
    2019: "Draft201909Validator",
    2020: "Draft202012Validator",
}
END = 256

Oracle = Callable[[str], str]  # what is wrong with a text, "" for nothing


class OverTimeError(Exception):
    """One schema took longer than it may."""


@dataclass
class Tally:
    """What came out; `found` names every text and schema that somebody should look at."""

    schemas: int = 0
    compiled: int = 0
    outputs: int = 0
    judged_valid: int = 0
    schemas_of_llguidance: int = 0
    outputs_of_llguidance: int = 0
    llguidance_valid: int = 0
    over_time: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    attempts: Counter[int] = field(default_factory=Counter)
    found: list[dict[str, Any]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def note(self, name: str, what: str, text: str = "", **more: Any) -> None:
        self.found.append({"schema": name, "what": what, "text": text, **more})

    @property
    def sound(self) -> bool:
        return self.judged_valid == self.outputs and not self.over_time and not self.raised.total()

    def print(self) -> None:
        for entry in self.found:
            print(f"{entry['schema']}: {entry['what']}\n    {entry['text'][:300]}")
        print(f"\n{self.schemas} schemas, {self.compiled} compiled, {self.refused.total()} refused, ", end="")
        print(f"{self.over_time} over the time limit")
        for reason, count in self.refused.most_common():
            print(f"  refused {count} x {reason}")
        print(f"{self.outputs} outputs; accepted by the judge {_share(self.judged_valid, self.outputs)}")
        print(f"llguidance compiles {self.schemas_of_llguidance} of the compiled schemas; accepted by it ", end="")
        print(_share(self.llguidance_valid, self.outputs_of_llguidance))
        for kind, count in self.raised.most_common():
            print(f"  no output: {count} x {kind}")
        print("attempts:", ", ".join(f"{count} x {number}" for number, count in sorted(self.attempts.items())))
        slowest = max(self.seconds, key=self.seconds.__getitem__)
        middle = statistics.median(self.seconds.values())
        print(f"seconds a schema: median {middle:.1f}, most {self.seconds[slowest]:.1f} ({slowest})")


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.2%})" if whole else "0 of 0"


class Run:
    """One run over many schemas."""

    def __init__(self, options: argparse.Namespace, vocabulary: TextVocabulary | None) -> None:
        self.options, self.tally = options, Tally()
        self.model = Model(RandomDenoiser(vocabulary))

    def add(self, name: str, schema: Any) -> None:
        """Count one schema; what is neither a refusal nor a text is counted by its type and named."""
        self.tally.schemas += 1
        begun = time.perf_counter()
        try:
            with limited(self.options.time_limit):
                self._schema(name, schema)
        except OverTimeError:
            self.tally.over_time += 1
            self.tally.note(name, f"took longer than {self.options.time_limit:g} seconds")
        self.tally.seconds[name] = time.perf_counter() - begun

    def _schema(self, name: str, schema: Any) -> None:
        form = compile_form(schema)
        try:
            fewest = form.min_tokens(self.model.denoiser.text)
        except SchemaError as error:
            self.tally.refused[f"{type(error).__name__}: {error.keyword or error.message}"] += 1
            return
        self.tally.compiled += 1
        room = self.options.max_new_tokens
        generator = self.model.generator(form, max_new_tokens=max(room, fewest + room // 4))
        judge, other = judge_of(schema), llguidance_of(schema)
        self.tally.schemas_of_llguidance += other is not None
        for seed in range(self.options.seeds):
            try:
                result = generator.run("?", seed=seed, draw=True, max_denoising_steps=1)
            except OverTimeError:
                raise
            except Exception as error:  # one bad schema must not end a long run: it is counted, named and fails it
                self._raised(name, seed, error)
                continue
            self.tally.attempts[result.attempts] += 1
            self._judge(name, seed, result.text, judge, other)

    def _raised(self, name: str, seed: int, error: Exception) -> None:
        self.tally.raised[type(error).__name__] += 1
        said = error.message if isinstance(error, DgsolveError) else repr(error)
        text, errors = getattr(error, "text", ""), list(getattr(error, "errors", ()))
        self.tally.note(name, f"seed {seed}: {type(error).__name__}: {said}", text, errors=errors)

    def _judge(self, name: str, seed: int, text: str, judge: Oracle, other: Oracle | None) -> None:
        self.tally.outputs += 1
        wrong = judge(text)
        self.tally.judged_valid += not wrong
        if wrong:
            self.tally.note(name, f"seed {seed}: refused by the judge: {wrong}", text)
        if other is not None:
            self.tally.outputs_of_llguidance += 1
            said = other(text)
            self.tally.llguidance_valid += not said
            if said:
                self.tally.note(name, f"seed {seed}: refused by llguidance: {said}", text)


def judge_of(schema: Any) -> Oracle:
    """jsonschema-rs by itself."""
    import jsonschema_rs

    build = getattr(jsonschema_rs, VALIDATORS[dialect_of(schema).draft])
    validator = build(schema, validate_formats=True, offline=True)

    def wrong(text: str) -> str:
        try:
            value = json.loads(text, parse_float=Decimal, object_pairs_hook=_object)
        except ValueError as error:
            return str(error)
        return "; ".join(f"{error.instance_path}: {error.message}" for error in validator.iter_errors(value))

    return wrong


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(made := dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return made


class ByteTokens:
    """A tokenizer of single bytes, as llguidance wants one."""

    eos_token_id, bos_token_id, special_token_ids = END, None, (END,)
    tokens = (*(bytes([byte]) for byte in range(END)), b"<end>")

    def __call__(self, text: bytes | str) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)


def llguidance_of(schema: Any) -> Oracle | None:
    """llguidance by itself, None where it does not compile the schema."""
    from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

    if not isinstance(schema, dict):
        return None
    tokenizer = LLTokenizer(TokenizerWrapper(ByteTokens()), n_vocab=END + 1)
    grammar = LLMatcher.grammar_from_json_schema(schema)
    if LLMatcher(tokenizer, grammar, log_level=0).is_error():
        return None

    def wrong(text: str) -> str:
        matcher, data = LLMatcher(tokenizer, grammar, log_level=0), text.replace("\x7f", "\\u007f").encode()
        taken = matcher.try_consume_tokens(list(data))
        if taken == len(data) and matcher.is_accepting():
            return ""
        before = data[max(0, taken - 40) : taken].decode(errors="replace")
        after = data[taken : taken + 20].decode(errors="replace")
        reason = matcher.get_error() if matcher.is_error() else ""
        return f"byte {taken}, after {before!r} comes {after!r}. {reason.splitlines()[0] if reason else ''}"

    return wrong


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises OverTimeError inside once the seconds are over."""

    def over(*_: object) -> None:
        raise OverTimeError

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def schemas(options: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Every schema with its file."""
    for path in sorted(options.folder.glob("*/*.json")):
        yield f"{path.parent.name}/{path.name}", json.loads(path.read_text(encoding="utf-8"))["schema"]
    for line in options.cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield f"{options.cases.name} {case['id']}", case["schema"]


def _vocabulary(folder: str | None) -> TextVocabulary | None:
    if folder is None:
        return None
    from transformers import AutoTokenizer

    return from_tokenizer(AutoTokenizer.from_pretrained(folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=DATA / "jsonschemabench")
    parser.add_argument("--cases", type=Path, default=DATA / "cases" / "structured.jsonl")
    parser.add_argument("--seeds", type=int, default=20, help="texts for each schema")
    parser.add_argument("--limit", type=int, help="take so many schemas, drawn at random")
    parser.add_argument("--sample-seed", type=int, default=0, help="which schemas --limit draws")
    parser.add_argument("--max-new-tokens", type=int, default=256, help="raised where a schema needs more")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds for one schema with all its texts")
    parser.add_argument("--tokenizer", metavar="FOLDER", help="tokens of a transformers tokenizer, not single bytes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all counts and findings there")
    options = parser.parse_args()
    found = list(schemas(options))
    if options.limit is not None:
        found = random.Random(options.sample_seed).sample(found, min(options.limit, len(found)))
    run = Run(options, _vocabulary(options.tokenizer))
    whole = _all(run, found)
    run.tally.print()
    if options.json:
        options.json.write_text(json.dumps(vars(run.tally), indent=1, ensure_ascii=False), encoding="utf-8")
    sys.exit(130 if not whole else 0 if run.tally.sound else 1)


def _all(run: Run, found: Sequence[tuple[str, Any]]) -> bool:
    """Add every schema; False after Ctrl-C, which keeps what was counted until then."""
    from rich.console import Console
    from rich.progress import track

    try:
        for name, schema in track(found, "schemas", console=Console(stderr=True)):
            run.add(name, schema)
    except KeyboardInterrupt:
        return False
    return True


if __name__ == "__main__":
    main()
