"""The vocabularies that the benchmarks measure with."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from dgsolve.language.vocabulary import TextVocabulary, from_tokenizer


def vocabulary_at(path: Path, size: int | None = None) -> TextVocabulary:
    """The vocabulary of a tokenizer's folder, or of a tokenizer.json alone; `size`: tokens of the model, padded."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    if path.is_dir():
        return from_tokenizer(AutoTokenizer.from_pretrained(path), size)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(path))
    vocab = tokenizer.get_vocab()
    ends = [vocab[end] for end in ("<eos>", "</s>", "<|endoftext|>") if end in vocab]
    return from_tokenizer(tokenizer, size, ends)


def made_up_vocabulary(size: int) -> TextVocabulary:
    """All bytes, then words of random letters with and without a space before them, punctuation and digits."""
    generator = np.random.default_rng(0)
    pieces: dict[bytes, None] = dict.fromkeys(bytes([byte]) for byte in range(256))
    marks = ('":', '",', '"', "},", "]", ', "', '": "', " {", "\\n", ".", "-", "'s", "é", "日本")
    for mark, other in itertools.product(marks, repeat=2):
        pieces[(mark + other).encode()] = None
    while len(pieces) < size - 2:
        letters = generator.integers(ord("a"), ord("z") + 1, (size, 12), dtype=np.uint8)
        lengths = np.clip(generator.poisson(5, size), 1, 12)
        for row, length in zip(letters, lengths.tolist(), strict=True):
            pieces[(b" " if row[0] % 2 else b"") + row[:length].tobytes()] = None
    return TextVocabulary((*list(pieces)[: size - 2], None, None), end_ids=(size - 2,), pad_id=size - 1)
