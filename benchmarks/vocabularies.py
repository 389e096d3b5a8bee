"""The vocabularies that the benchmarks measure with."""

from __future__ import annotations

from pathlib import Path

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
