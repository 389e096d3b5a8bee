"""What the benchmark of schemas compares, each in a process of its own: dgsolve, llguidance, XGrammar.

Each compiles a schema and says which instances it takes. dgsolve gets an instance in its one spelling, keys in its
order. A peer gets it as `json.dumps` writes it, in dgsolve's spelling, and with dgsolve's order of keys, one space
after ':' and ',', and is right where it is right about any of these: no peer fails for spacing, spelling or order.
Peers run with any white space allowed and, XGrammar, without its strict mode, which would close open objects.
All run over single bytes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from soundness_judges import END, ByteTokens

from dgsolve.bench.memory import peak_mb
from dgsolve.errors import DgsolveError, UnsatisfiableSchemaError

Instance = tuple[bool, Any]  # whether it is valid, and the value
Answer = dict[str, Any]
Accepts = Callable[[str], bool]


class Dgsolve:
    """Automaton and judge together. Of a task (schema, instances, formats) it also writes the texts for the peers."""

    def __init__(self) -> None:
        from dgsolve.language.byte_vocabulary import byte_vocabulary

        self.vocabulary = byte_vocabulary()
        self(({"properties": {"a": {"type": "integer"}}}, [(True, {"a": 1})], True))  # warm-up

    def __call__(self, task: tuple[Any, Sequence[Instance], bool]) -> Answer:
        from dgsolve.language.json_schema.language import compile_schema
        from dgsolve.language.json_schema.spelling import spell
        from dgsolve.language.token_table import compile_tokens

        schema, instances, formats = task
        start = time.process_time()
        try:
            language = compile_schema(schema, formats=formats)
        except DgsolveError as error:
            empty = isinstance(error, UnsatisfiableSchemaError)
            return {**refusal(f"{type(error).__name__}: {error}", start), "unsatisfiable": empty}
        compiled = time.process_time()
        compile_tokens(language.acceptor, self.vocabulary)
        ready = time.process_time()
        texts = [spell(language.arrange(value)) for _, value in instances]
        by_automaton = [language.acceptor.accepts(text.encode()) for text in texts]
        taken = [one and language.judge.accepts(value) for one, (_, value) in zip(by_automaton, instances, strict=True)]
        return {
            "taken": taken,
            "by_automaton": by_automaton,
            "ms": round(1000 * (ready - start), 3),
            "language_ms": round(1000 * (compiled - start), 3),
            "states": len(language.acceptor),
            "peak_mb": peak_mb(),
            "texts": texts,
        }


class Engine(Protocol):
    """A peer: compiles a schema over single bytes, or raises RefusedError."""

    def compile(self, schema: Any) -> Callable[[], Accepts]:
        """Matchers of texts, each fresh."""


class RefusedError(Exception):
    """A peer does not take a schema."""


class Llguidance:
    def __init__(self) -> None:
        from llguidance import LLTokenizer, TokenizerWrapper

        self._tokenizer = LLTokenizer(TokenizerWrapper(ByteTokens()), n_vocab=END + 1)

    def compile(self, schema: Any) -> Callable[[], Accepts]:
        from llguidance import LLMatcher

        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_json_schema(json.dumps(schema)), log_level=0)
        if matcher.is_error():
            raise RefusedError(matcher.get_error())

        def fresh() -> Accepts:
            one = matcher.deep_copy()
            return lambda text: one.try_consume_tokens(list(data := text.encode())) == len(data) and one.is_accepting()

        return fresh


class XGrammar:
    def __init__(self) -> None:
        import xgrammar

        tokens = [*(bytes([byte]) for byte in range(END)), b"<end>"]
        info = xgrammar.TokenizerInfo(tokens, vocab_size=END + 1, stop_token_ids=[END])
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def compile(self, schema: Any) -> Callable[[], Accepts]:
        import xgrammar

        try:
            made = self._compiler.compile_json_schema(json.dumps(schema), any_whitespace=True, strict_mode=False)
        except (RuntimeError, ValueError) as error:
            raise RefusedError(str(error)) from error

        def fresh() -> Accepts:
            one = xgrammar.GrammarMatcher(made)
            return lambda text: one.accept_string(text.encode()) and one.accept_token(END)

        return fresh


PEERS: dict[str, Callable[[], Engine]] = {"llguidance": Llguidance, "xgrammar": XGrammar}


class Peer:
    """An engine that answers tasks (schema, instances, texts in dgsolve's spelling and order or None)."""

    def __init__(self, name: str) -> None:
        self.engine = PEERS[name]()
        self(({"properties": {"a": {"type": "integer"}}}, [(True, {"a": 1})], None))  # warm-up

    def __call__(self, task: tuple[Any, Sequence[Instance], Sequence[str] | None]) -> Answer:
        schema, instances, arranged = task
        start = time.process_time()
        try:
            fresh = self.engine.compile(schema)
        except RefusedError as error:
            return refusal(str(error), start)
        spent = time.process_time() - start
        texts: Sequence[str | None] = arranged or [None] * len(instances)
        taken = [_better(fresh, *one, text) for one, text in zip(instances, texts, strict=True)]
        return {"taken": taken, "ms": round(1000 * spent, 3), "peak_mb": peak_mb()}


def refusal(reason: str, start: float) -> Answer:
    """The answer where a schema was not taken."""
    said = (reason.splitlines() or [""])[0]
    return {"refused": said[:300], "ms": round(1000 * (time.process_time() - start), 3), "peak_mb": peak_mb()}


def _better(fresh: Callable[[], Accepts], valid: bool, value: Any, arranged: str | None) -> bool:
    """Whether the instance is taken: in the writing that is better for the peer."""
    from dgsolve.language.json_schema.spelling import spell

    texts = {json.dumps(value, ensure_ascii=False), spell(value), *([arranged] if arranged is not None else [])}
    taken = (fresh()(text) for text in texts)
    return any(taken) if valid else all(taken)
