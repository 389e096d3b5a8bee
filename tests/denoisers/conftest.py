"""A tokenizer trained on next to nothing, tiny models that write with it, and the tables of a few languages."""

import pytest

from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.language.token_table import compile_tokens
from tests.denoisers.tiny_causal import LANGUAGES, network


@pytest.fixture(scope="session")
def tokenizer():
    """Byte-level BPE of 300 tokens, trained on next to nothing."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=alphabet, special_tokens=["<end>", "<pad>"], show_progress=False
    )
    raw.train_from_iterator(['{"name": "Maria Lopez", "age": 34}, {"name": "Ana Diaz", "age": 7}'] * 4, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<end>", pad_token="<pad>")


@pytest.fixture(scope="session")
def denoisers(tokenizer):
    return [CausalDenoiser.from_transformers(network(seed), tokenizer) for seed in range(8)]


@pytest.fixture(scope="session")
def tables(denoisers):
    vocabulary = denoisers[0].vocabulary(None)
    return [compile_tokens(language, vocabulary) for language in LANGUAGES]
