"""A tokenizer trained on next to nothing, tiny models that write with it, and the tables of a few languages."""

import pytest

from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.language.token_table import compile_tokens
from tests.denoisers.tiny_causal import LANGUAGES, byte_level, network


@pytest.fixture(scope="session")
def tokenizer():
    return byte_level(300, '{"name": "Maria Lopez", "age": 34}, {"name": "Ana Diaz", "age": 7}')


@pytest.fixture(scope="session")
def denoisers(tokenizer):
    return [CausalDenoiser.from_transformers(network(seed), tokenizer) for seed in range(8)]


@pytest.fixture(scope="session")
def tables(denoisers):
    vocabulary = denoisers[0].vocabulary(None)
    return [compile_tokens(language, vocabulary) for language in LANGUAGES]
