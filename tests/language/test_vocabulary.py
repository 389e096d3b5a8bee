"""Tokens as bytes, read out of tokenizers of every scheme, and texts written with them."""

from types import SimpleNamespace
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from dgsolve.errors import UsageError
from dgsolve.language.vocabulary import TextVocabulary, from_tokenizer

TEXTS = ['{"name": "Ada", "n": [1, -2.5]}', "Grüße, 東京 \U0001f600", "two  spaces\n  and\tlines\n\n", "a", " b"]
SPACE = "\u2581"
MERGES = [("A", "d"), (SPACE, SPACE)]


def wrapped(tokenizer: Tokenizer, **names: Any) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, clean_up_tokenization_spaces=False, **names)


def byte_level() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<|endoftext|>", "<|im_end|>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.add_tokens([AddedToken("<tool>", special=False), AddedToken("    ", special=False)])
    return wrapped(tokenizer, eos_token="<|endoftext|>", pad_token="<|im_end|>")


def gemma_pieces() -> dict[str, int]:
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    letters = sorted({char for text in TEXTS[::2] for char in text.replace(" ", SPACE)} | {"Ad", SPACE + SPACE})
    return {piece: k for k, piece in enumerate(["<pad>", "<eos>", "<unk>", "<unused7>", *bytes_, *letters])}


def gemma() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE(gemma_pieces(), MERGES, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.decoder = decoders.Sequence([decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_tokens([AddedToken("<unused7>", special=False), AddedToken("<end_of_turn>", special=True)])
    return wrapped(tokenizer, eos_token="<eos>", pad_token="<pad>", unk_token="<unk>")


def llama() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE(gemma_pieces(), MERGES, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend(SPACE), normalizers.Replace(" ", SPACE)])
    steps = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    tokenizer.decoder = decoders.Sequence(steps)
    return wrapped(tokenizer, eos_token="<eos>", unk_token="<unk>")


def unigram() -> PreTrainedTokenizerFast:
    pieces = [(piece, -1.0 if len(piece) < 6 else -9.0) for piece in gemma_pieces()]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=2, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(SPACE), decoders.Fuse()])
    return wrapped(tokenizer, eos_token="<eos>", unk_token="<unk>")


SCHEMES = {"byte-level": byte_level, "gemma": gemma, "llama": llama, "unigram": unigram}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tokens_of_any_text_spell_it(scheme: str) -> None:
    tokenizer = SCHEMES[scheme]()
    vocabulary = from_tokenizer(tokenizer)
    for text in TEXTS:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert vocabulary.decode(ids) in (text.encode(), b" " + text.encode())
        own = vocabulary.encode(text.encode())
        assert vocabulary.decode(own) == text.encode()
        assert len(own) <= len(text.encode())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_byte_has_a_token(scheme: str) -> None:
    vocabulary = from_tokenizer(SCHEMES[scheme]())
    assert {bytes([byte]) for byte in range(256)} <= set(vocabulary.pieces)


def test_special_unused_and_padded_rows_are_no_text() -> None:
    tokenizer = gemma()
    vocabulary = from_tokenizer(tokenizer, size=len(tokenizer) + 5)
    ids = tokenizer.convert_tokens_to_ids(["<pad>", "<eos>", "<unk>", "<unused7>", "<end_of_turn>"])
    assert [vocabulary.pieces[token] for token in ids] == [None] * 5
    assert vocabulary.pieces[-5:] == (None,) * 5
    assert vocabulary.size == len(tokenizer) + 5
    assert vocabulary.end_ids == (ids[1], ids[4])
    assert vocabulary.pad_id == ids[0]


def test_added_tokens_that_are_not_special_have_their_text() -> None:
    tokenizer = byte_level()
    vocabulary = from_tokenizer(tokenizer)
    assert vocabulary.pieces[tokenizer.convert_tokens_to_ids("<tool>")] == b"<tool>"
    assert vocabulary.pieces[tokenizer.convert_tokens_to_ids("    ")] == b"    "
    assert vocabulary.end_ids == tuple(tokenizer.convert_tokens_to_ids(["<|endoftext|>", "<|im_end|>"]))
    assert vocabulary.pad_id == vocabulary.end_ids[1]


def test_given_ends_take_their_tokens_out_of_the_text() -> None:
    tokenizer = llama()
    token = tokenizer.convert_tokens_to_ids("Ad")
    assert from_tokenizer(tokenizer).pieces[token] == b"Ad"
    vocabulary = from_tokenizer(tokenizer, end_ids=[token, 1])
    assert vocabulary.pieces[token] is None
    assert vocabulary.end_ids == (token, 1)
    assert vocabulary.pad_id == token


def test_a_piece_is_preferred_to_the_byte_that_stands_in_for_it() -> None:
    tokenizer = gemma()
    vocabulary = from_tokenizer(tokenizer)
    assert vocabulary.tokens(["1", " "]) == tokenizer.convert_tokens_to_ids(["1", SPACE])
    with pytest.raises(UsageError, match="'zz'"):
        vocabulary.tokens(["1", "zz"])


def test_a_tokenizer_that_changes_text_is_refused() -> None:
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "ada": 1}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    with pytest.raises(UsageError, match="do not spell"):
        from_tokenizer(wrapped(tokenizer, eos_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    with pytest.raises(UsageError, match="WordPiece"):
        from_tokenizer(wrapped(tokenizer, eos_token="[UNK]"))


class Slow:
    """A tokenizer in plain Python: one token a byte, then the end."""

    pad_token_id = unk_token_id = None
    eos_token_id = 256
    all_special_ids = (256,)
    added_tokens_decoder = {256: SimpleNamespace(content="<end>", special=True)}  # noqa: RUF012

    def __init__(self, texts: list[Any]) -> None:
        self.texts = [*texts, "<end>"]

    def __len__(self) -> int:
        return len(self.texts)

    def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
        return {"input_ids": list(text.encode())}

    def convert_ids_to_tokens(self, ids: list[int]) -> list[Any]:
        return [self.texts[token] for token in ids]


@pytest.mark.parametrize("scheme", ["tiktoken", "byte-level", "sentencepiece"])
def test_slow_tokenizers(scheme: str) -> None:
    if scheme == "tiktoken":
        tokenizer = Slow([bytes([byte]) for byte in range(256)])
    elif scheme == "byte-level":
        pieces = from_tokenizer(byte_level())
        chars = {pieces.pieces[token]: text for text, token in byte_level().get_vocab().items()}
        tokenizer = Slow([chars[bytes([byte])] for byte in range(256)])
        tokenizer.byte_decoder = {"a": 97}
    else:
        tokenizer = Slow([f"<0x{byte:02X}>" if byte != 32 else SPACE for byte in range(256)])
    vocabulary = from_tokenizer(tokenizer)
    assert vocabulary.pieces == (*(bytes([byte]) for byte in range(256)), None)
    assert vocabulary.end_ids == (256,)


def test_a_wrong_table_of_a_slow_tokenizer_is_refused() -> None:
    with pytest.raises(UsageError, match="do not spell"):
        from_tokenizer(Slow([bytes([byte ^ 1]) for byte in range(256)]))


def test_encode_takes_the_longest_and_decode_stops_at_the_end() -> None:
    vocabulary = TextVocabulary((b"a", b"ab", b"abc", b"b", None, None), end_ids=(4,), pad_id=5)
    assert vocabulary.encode(b"abcabaab") == [2, 1, 0, 1]
    assert vocabulary.encode(b"") == []
    assert vocabulary.decode([2, 5, 0, 4, 1]) == b"abca"
    with pytest.raises(UsageError, match="0x63"):
        vocabulary.encode(b"abac")


@pytest.mark.parametrize(
    ("pieces", "end_ids", "pad_id", "message"),
    [
        ((b"a", None), (), 1, "ends a text"),
        ((b"a", None), (2,), 1, "0 to 1"),
        ((b"a", None), (1,), -1, "pad_id"),
        ((b"a", None), (0,), 1, "is text"),
        ((b"a", b"", None), (2,), 2, "no bytes"),
    ],
)
def test_impossible_vocabularies(pieces: Any, end_ids: Any, pad_id: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TextVocabulary(pieces, end_ids, pad_id)


def test_fingerprints_tell_vocabularies_apart() -> None:
    one = TextVocabulary((b"ab", b"c", None, None), (2,), 2)
    others = [
        TextVocabulary((b"a", b"bc", None, None), (2,), 2),
        TextVocabulary((b"ab", b"c", None, None), (3,), 2),
        TextVocabulary((b"ab", b"c", None, None), (2,), 3),
        TextVocabulary((b"ab", b"c", None, None, None), (2,), 2),
    ]
    assert one.fingerprint == TextVocabulary((b"ab", b"c", None, None), (2,), 2).fingerprint
    assert len({vocabulary.fingerprint for vocabulary in (one, *others)}) == 5
