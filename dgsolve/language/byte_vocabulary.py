"""A vocabulary of single bytes, for denoisers without a tokenizer."""

from __future__ import annotations

from dgsolve.language.vocabulary import TextVocabulary

END = 256


def byte_vocabulary() -> TextVocabulary:
    """One token for each byte, and token 256, which ends a text and fills what follows."""
    return TextVocabulary((*(bytes([byte]) for byte in range(256)), None), end_ids=(END,), pad_id=END)
