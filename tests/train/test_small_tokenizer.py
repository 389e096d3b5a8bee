"""The small tokenizer: Gemma's layout, digits apart, every text spelled, and read by dgsolve as bytes."""

import pytest
from transformers import AutoTokenizer

from dgsolve.language.vocabulary import from_tokenizer
from dgsolve.train.small_tokenizer import SIZE, SPECIAL, pieces, small_tokenizer

TEXTS = [
    '{"name": "Ada", "age": 36}',
    "Grüße aus 東京 \U0001f600",
    "two  spaces\n\tand a tab ",
    "<0x41> is no byte",
    "\x00\x7f",
]


@pytest.fixture(scope="module")
def tokenizer():
    return small_tokenizer()


def test_layout(tokenizer) -> None:
    assert len(tokenizer) == len(pieces()) == len(set(pieces())) == SIZE
    assert tokenizer.convert_ids_to_tokens(list(range(SIZE))) == pieces()
    ids = (tokenizer.pad_token_id, tokenizer.eos_token_id, tokenizer.bos_token_id, tokenizer.unk_token_id)
    assert ids == (0, 1, 2, 3)
    assert tokenizer.convert_tokens_to_ids("<0x00>") == len(SPECIAL)


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_comes_back(tokenizer, text: str) -> None:
    ids = tokenizer(text)["input_ids"]
    assert tokenizer.unk_token_id not in ids
    assert tokenizer.decode(ids) == text


def test_digits_are_single_tokens_and_words_whole(tokenizer) -> None:
    assert tokenizer.tokenize("Solve 12345") == ["Solve", "\u2581", "1", "2", "3", "4", "5"]
    assert tokenizer.tokenize("€") == ["<0xE2>", "<0x82>", "<0xAC>"]
    assert tokenizer.tokenize("<0x41>") == list("<0x41>")


@pytest.mark.parametrize("text", TEXTS)
def test_dgsolve_reads_its_bytes(tokenizer, text: str) -> None:
    vocabulary = from_tokenizer(tokenizer)
    assert (vocabulary.size, vocabulary.end_ids, vocabulary.pad_id) == (SIZE, (1, 6), 0)
    assert vocabulary.decode(tokenizer(text)["input_ids"]) == text.encode()
    assert vocabulary.decode(vocabulary.encode(text.encode())) == text.encode()
    assert vocabulary.tokens("1234567890") == tokenizer.convert_tokens_to_ids(list("1234567890"))


def test_turns(tokenizer) -> None:
    asked = [{"role": "system", "content": "Be short."}, {"role": "user", "content": " Hi "}]
    told = [*asked, {"role": "assistant", "content": "Hello"}]
    opening = "<bos><|turn>system\nBe short.<turn|>\n<|turn>user\nHi<turn|>\n"
    assert tokenizer.apply_chat_template(told, tokenize=False) == f"{opening}<|turn>model\nHello<turn|>\n"
    shown = tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True, enable_thinking=True)
    assert shown == f"{opening}<|turn>model\n".replace("system\n", "system\n<|think|>")


def test_saved_and_loaded_it_is_the_same(tokenizer, tmp_path) -> None:
    tokenizer.save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    for text in TEXTS:
        assert loaded(text)["input_ids"] == tokenizer(text)["input_ids"]
    assert loaded.chat_template == tokenizer.chat_template
