"""What the exact posterior under a JSON automaton costs on this machine, beside one softmax over the same logits.

    python benchmarks/posterior.py --model smollm2          256 slots x 262,144 tokens, then 64 x 49,152
    python benchmarks/posterior.py --tokenizer FOLDER --sizes 256x262144      a real vocabulary, e.g. Gemma's
    python benchmarks/posterior.py --only "many bounded"    the cases whose name has these words

Without --tokenizer the vocabulary is made up. With --model, passes of that model over 64 slots take turns with what the
constraint of so few costs: what a causal denoiser asks for in a step (`left_to_right`, its `certainty`, `settle`), and
the posterior, which other denoisers ask for.

Softmax and posterior take turns in one process; "posterior" is everything that a denoising step asks for: the pass over
the logits, forward-backward, all entropies and the mode. Logits are random, the hardest case: every class has weight.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import torch
from vocabularies import made_up_vocabulary, vocabulary_at

from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.algebra import byte_set, concat, literal, optional, repeat, star, strings, union
from dgsolve.language.json_schema.strings import any_string, string
from dgsolve.language.token_table import TokenTable, compile_tokens
from dgsolve.language.vocabulary import TextVocabulary
from dgsolve.loading import load
from dgsolve.randomness import Stream

PROMPT, SLOTS = 120, 64  # tokens in a model's cache, and of one pass of it
DIGITS = byte_set(range(ord("0"), ord("9") + 1))
LEVELS = strings([b'"low"', b'"medium"', b'"high"', b'"critical"'])


def integer() -> Acceptor:
    first = byte_set(range(ord("1"), ord("9") + 1))
    return union(literal(b"0"), concat(optional(literal(b"-")), first, repeat(DIGITS, 0, 8)))


def array(of: Acceptor) -> Acceptor:
    more = star(concat(literal(b","), optional(literal(b" ")), of))
    return concat(literal(b"["), optional(concat(of, more)), literal(b"]"))


def record(**fields: Acceptor) -> Acceptor:
    parts = [literal(b"{")]
    for number, (name, value) in enumerate(fields.items()):
        parts += [literal(b","), optional(literal(b" "))] if number else []
        parts += [literal(b'"' + name.encode() + b'":'), optional(literal(b" ")), value]
    return concat(*parts, literal(b"}"))


def schemas() -> dict[str, Acceptor]:
    """Free text; text of bounded length, for which every token counts by its characters; hardly any choice."""
    free, short, long = any_string(), string(min_length=1, max_length=60), string(max_length=200)
    return {
        "free strings": record(name=free, age=integer(), city=free, tags=array(free), priority=LEVELS),
        "bounded strings": record(name=short, age=integer(), note=long, priority=LEVELS),
        "numbers and enums": record(age=integer(), priority=LEVELS, ok=strings([b"true", b"false"])),
        "many bounded strings": record(title=long, note=long, text=string(max_length=800)),
    }


def milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def causal_step(automaton: TokenAutomaton, logits: torch.Tensor) -> None:
    """What a step of a causal denoiser asks for: its choice, how sure it is of it, and to settle all of it."""
    choice = automaton.left_to_right(logits)
    tokens = choice.tokens
    choice.certainty(tokens.shape[1])
    settled = torch.full((len(tokens),), tokens.shape[1])
    automaton.settle(torch.nn.functional.pad(tokens, (0, automaton.length - tokens.shape[1])), settled)


def model_pass(name: str) -> Callable[[], object]:
    """A pass over SLOTS slots behind a prompt that is in the cache."""
    from dgsolve.denoisers.causal import CausalDenoiser

    denoiser = load(name).denoiser
    if not isinstance(denoiser, CausalDenoiser):
        raise SystemExit(f"{name} is no causal language model")
    model, slots = denoiser.model, torch.arange(SLOTS)[None]
    with torch.inference_mode():
        cache = model(torch.arange(PROMPT)[None], use_cache=True).cache

    @torch.inference_mode()
    def one() -> None:
        model(slots, cache=cache, use_cache=True)
        cache.crop(-SLOTS)

    return one


def measure(name: str, table: TokenTable, logits: torch.Tensor, options: argparse.Namespace) -> None:
    slots = logits.shape[1]
    automaton = TokenAutomaton.begin(table, slots)

    def everything() -> None:
        posterior = automaton.posterior(logits)
        _ = posterior.entropy, posterior.mode()

    first = milliseconds(everything)  # also builds the lattice, once per canvas
    turns = range(options.repeats)
    pairs = [(milliseconds(lambda: torch.softmax(logits, -1)), milliseconds(everything)) for _ in turns]
    softmax, whole = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(b / a for a, b in pairs)
    posterior = automaton.posterior(logits)
    draw = milliseconds(lambda: posterior.sample(Stream(torch.zeros(1, dtype=torch.long))))
    window = min(SLOTS, slots)
    model = options.model_pass or (lambda: None)
    steps = [(milliseconds(model), milliseconds(lambda: causal_step(automaton, logits[:, :window]))) for _ in turns]
    one_pass, causal = (median(column) for column in zip(*steps, strict=True))
    print(f"{name}: {table.states:,} states, {table.class_count} classes, {len(table.classes):,} transitions")
    print(f"  softmax {softmax:.0f} ms, posterior {whole:.0f} ms, ratio {ratio:.2f} (first time {first:.0f} ms)")
    print(f"  a joint draw on top {draw:.0f} ms; a causal denoiser's step over {window} slots {causal:.1f} ms")
    if options.model_pass and slots <= SLOTS:
        share = median(step / of for of, step in steps)
        shares = f"the causal step {share:.1%}, the posterior {whole / one_pass:.1%}"
        print(f"  of a model pass of {one_pass:.0f} ms: {shares}")


def compare(slots: int, words: TextVocabulary, options: argparse.Namespace) -> None:
    """All cases at one size."""
    generator = torch.Generator().manual_seed(0)
    logits = (torch.randn(1, slots, words.size, generator=generator) * 3).to(getattr(torch, options.dtype))
    print(f"{slots} slots x {words.size:,} tokens, {options.dtype}, {options.threads} threads, "
          f"medians of {options.repeats}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip
    for name, acceptor in schemas().items():
        if options.only in name:
            measure(name, compile_tokens(acceptor, words), logits, options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", help="a tokenizer's folder, or its tokenizer.json")
    parser.add_argument("--sizes", nargs="+", default=["256x262144", "64x49152"], help="slots x tokens")
    parser.add_argument("--only", default="", help="only the cases whose name has these words")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--model", help="a causal language model whose passes are measured too, e.g. smollm2")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.model_pass = model_pass(options.model) if options.model else None
    for size in options.sizes:
        slots, tokens = map(int, size.split("x"))
        words = vocabulary_at(Path(options.tokenizer), tokens) if options.tokenizer else made_up_vocabulary(tokens)
        compare(slots, words, options)


if __name__ == "__main__":
    main()
