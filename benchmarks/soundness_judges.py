"""Who judges a text by a schema, each by itself and independent of dgsolve: what is wrong, "" for nothing.

jsonschema-rs is the judge. llguidance is a second one where it compiles the schema, and python-jsonschema a third that
is asked about what llguidance refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from dgsolve.language.json_schema.dialect import dialect_of

VALIDATORS = {
    4: "Draft4Validator",
    6: "Draft6Validator",
    7: "Draft7Validator",
    2019: "Draft201909Validator",
    2020: "Draft202012Validator",
}
END = 256  # the token that ends a text, after those of the bytes

Judge = Callable[[str], str]


def jsonschema_rs_of(schema: Any) -> Judge:
    """jsonschema-rs, formats on, no key twice."""
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


def python_jsonschema_of(schema: Any) -> Judge:
    """python-jsonschema, formats on. It takes `\\d` for any Unicode digit and `\\p` not at all, and says so here."""
    import jsonschema  # type: ignore[import-untyped]

    kind = getattr(jsonschema, VALIDATORS[dialect_of(schema).draft])
    validator = kind(schema, format_checker=kind.FORMAT_CHECKER)

    def wrong(text: str) -> str:
        try:
            value = json.loads(text, parse_float=Decimal, object_pairs_hook=_object)
            return "; ".join(f"{error.json_path}: {error.message}" for error in validator.iter_errors(value))
        except Exception as error:  # a judge that cannot judge does not agree, whatever its reason
            return f"{type(error).__name__}: {error}"

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


def llguidance_of(schema: Any) -> Judge | None:
    """llguidance, None where it does not compile the schema."""
    from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

    if not isinstance(schema, dict):
        return None
    tokenizer = LLTokenizer(TokenizerWrapper(ByteTokens()), n_vocab=END + 1)
    grammar = LLMatcher.grammar_from_json_schema(schema)
    if LLMatcher(tokenizer, grammar, log_level=0).is_error():
        return None

    def wrong(text: str) -> str:
        matcher, data = LLMatcher(tokenizer, grammar, log_level=0), text.encode()
        taken = matcher.try_consume_tokens(list(data))
        if taken == len(data) and matcher.is_accepting():
            return ""
        before = data[max(0, taken - 40) : taken].decode(errors="replace")
        after = data[taken : taken + 20].decode(errors="replace")
        reason = matcher.get_error() if matcher.is_error() else ""
        return f"byte {taken}, after {before!r} comes {after!r}. {reason.splitlines()[0] if reason else ''}"

    return wrong


def raw_del(schema: Any, text: str) -> tuple[Any, str]:
    """The same value with DEL written as an escape."""
    return schema, text.replace("\x7f", "\\u007f")


def beside_ref(schema: Any, text: str) -> tuple[Any, str]:
    """The same schema for drafts 4 to 7: without what stands beside a $ref, and counts nothing there."""
    return (_bare(schema) if dialect_of(schema).draft <= 7 else schema), text


def _bare(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _bare(part) for key, part in schema.items()}
    if isinstance(schema.get("$ref"), str):
        kept = {key: part for key, part in kept.items() if key in ("$ref", "$schema", "definitions", "$defs")}
    return kept


# what llguidance is known to get wrong: the standard's words, and schema and text in a spelling that it reads rightly
OWN_FAULTS: dict[str, Callable[[Any, str], tuple[Any, str]]] = {
    "a raw DEL in a string: only quotes, backslashes and U+0000 to U+001F must be escaped (RFC 8259, 7)": raw_del,
    "what stands beside $ref: up to draft 7 it is ignored (JSON Reference draft 03, 3; draft 7 core, 8.3)": beside_ref,
}


def own_fault(schema: Any, text: str) -> str:
    """Why llguidance is wrong to refuse a text, "" where that is not sure.

    It is sure where python-jsonschema takes the text, the standard says so, and llguidance takes the same text by the
    same schema once both are spelled in a way that it reads as the standard does.
    """
    if python_jsonschema_of(schema)(text):
        return ""
    reasons = []
    for reason, spelled in OWN_FAULTS.items():
        changed = spelled(schema, text)
        if changed != (schema, text):
            schema, text = changed
            reasons.append(reason)
            judge = llguidance_of(schema)
            if judge is not None and not judge(text):
                return "; and ".join(reasons)
    return ""
