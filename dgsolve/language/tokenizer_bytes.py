"""Reading the bytes of every token out of a `transformers` tokenizer, whatever scheme it is of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dgsolve.errors import UsageError

SAMPLES = (
    '{"name": "Ada", "numbers": [1, -2.5e3, null]}',
    "Grüße aus 東京 \U0001f600, naïve \\u00e9",
    "two  spaces\n  and\tlines\n\n",
)
UNUSED = re.compile(r"<\|?(unused|reserved)[a-z_]*\d+\|?>")  # rows kept free, never trained
BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
SPACE = "\u2581"  # how SentencePiece writes a space
Spell = Callable[[str], bytes]


def token_bytes(tokenizer: Any) -> dict[int, bytes]:
    """The bytes of each token id; UsageError for a scheme whose tokens are not pieces of the text."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return _slow(tokenizer) if backend is None else _fast(backend)


def special_ids(tokenizer: Any) -> set[int]:
    """The tokens that are never inside a text."""
    added, backend = tokenizer.added_tokens_decoder, getattr(tokenizer, "backend_tokenizer", None)
    marked = {token for token, entry in added.items() if entry.special or UNUSED.fullmatch(entry.content)}
    pieces = {} if backend is None else backend.get_vocab(with_added_tokens=False)
    unused = {token for text, token in pieces.items() if text.startswith("<") and UNUSED.fullmatch(text)}
    return marked | unused | {int(token) for token in tokenizer.all_special_ids}


def verify(tokenizer: Any, spelled: Mapping[int, bytes]) -> None:
    """Raise UsageError unless the bytes of the tokens of each sample spell it (a leading space may be added)."""
    for number, sample in enumerate(SAMPLES):
        ids = tokenizer(sample, add_special_tokens=False)["input_ids"]
        if number and tokenizer.unk_token_id in ids:
            continue  # it cannot write this sample at all, which is no mistake of ours
        text = b"".join(spelled.get(token, b"") for token in ids)
        if text not in (sample.encode(), b" " + sample.encode()):
            raise UsageError(
                f"the tokens of this tokenizer do not spell what they stand for: {sample!r} became {text!r}",
                hint="Structured output needs a tokenizer that keeps text as it is (byte-level BPE, SentencePiece).",
            )


def _fast(backend: Any) -> dict[int, bytes]:
    """By the pipeline of a `tokenizers` tokenizer: what its decoder does to each token on its own."""
    steps = _steps(backend.decoder)
    byte_level = any(step["type"] == "ByteLevel" for step in (*steps, *_steps(backend.pre_tokenizer)))
    spell: Spell = _byte_level if byte_level else _sentence_piece(steps)
    spelled = {token: spell(text) for text, token in backend.get_vocab(with_added_tokens=False).items()}
    for token, entry in backend.get_added_tokens_decoder().items():
        spelled[token] = entry.content.encode() if byte_level else spell(entry.content)
    return spelled


def _steps(part: Any) -> list[dict[str, Any]]:
    """A decoder or pre-tokenizer as the list of its parts."""
    if part is None:
        return []
    state = json.loads(part.__getstate__())
    return list(state.get("decoders") or state.get("pretokenizers") or [state])


def _sentence_piece(steps: Iterable[dict[str, Any]]) -> Spell:
    """How a decoder made of these steps spells a token inside a text; stripping at the ends of the text is left out."""
    replaced: list[tuple[str, str]] = []
    has_bytes = False
    for step in steps:
        kind = step["type"]
        if kind == "Replace" and "String" in step["pattern"]:
            replaced.append((step["pattern"]["String"], step["content"]))
        elif kind == "Metaspace":
            replaced.append((step["replacement"], " "))
        elif kind not in ("ByteFallback", "Fuse", "Strip"):
            raise UsageError(
                f"dgsolve cannot read the bytes of this tokenizer's tokens: its decoder has the step {kind!r}",
                hint="Byte-level BPE and SentencePiece tokenizers work.",
            )
        has_bytes |= kind == "ByteFallback"

    def spell(text: str) -> bytes:
        byte = BYTE.fullmatch(text) if has_bytes else None
        if byte:
            return bytes([int(byte[1], 16)])
        for old, new in replaced:
            text = text.replace(old, new)
        return text.encode()

    return spell


def _slow(tokenizer: Any) -> dict[int, bytes]:
    """By the tokenizer's own table: bytes as they are (tiktoken), else characters that stand for bytes, else pieces."""
    ids = range(len(tokenizer))
    texts = tokenizer.convert_ids_to_tokens(list(ids))
    alphabet: dict[str, int] | None = getattr(tokenizer, "byte_decoder", None)
    plain = _sentence_piece([{"type": "ByteFallback"}, {"type": "Metaspace", "replacement": SPACE}])
    spelled = {}
    for token, text in zip(ids, texts, strict=True):
        if isinstance(text, bytes):
            spelled[token] = text
        elif text is not None:
            spelled[token] = _byte_level(text) if alphabet else plain(text)
    return spelled


def _alphabet() -> dict[str, int]:
    """The characters by which byte-level BPE writes bytes: printable ones as themselves, the others from U+0100 on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + k): byte for k, byte in enumerate(others)}


_ALPHABET = _alphabet()


def _byte_level(text: str) -> bytes:
    """A token all of whose characters stand for bytes; any other is an added one, written as it is."""
    try:
        return bytes([_ALPHABET[char] for char in text])
    except KeyError:
        return text.encode()
