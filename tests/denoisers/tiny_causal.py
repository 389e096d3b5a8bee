"""Tiny causal models, a few languages, and what they write, by the denoiser and one token at a time."""

from dataclasses import replace
from types import SimpleNamespace

import torch

from dgsolve.canvas import Canvas
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.language import algebra
from dgsolve.sampling import fixed_point

SLOTS = 40
PROMPTS = ("Maria is 34.", "The box, of Ana Diaz and 7 others, stands in Rome; it has seen better days.", "x")


def byte_level(size, sample, *added):
    """A tokenizer: byte-level BPE of `size` tokens, trained on next to nothing, and tokens beside them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, initial_alphabet=alphabet, special_tokens=["<end>", "<pad>"], show_progress=False
    )
    raw.train_from_iterator([sample] * 4, trainer)
    raw.add_tokens(list(added))
    return PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<end>", pad_token="<pad>")


def network(seed, kind="llama", size=300, **settings):
    """A tiny model whose random weights are large enough to make up its mind."""
    from transformers import AutoModelForCausalLM, LlamaConfig, MambaConfig, MistralConfig

    torch.manual_seed(seed)
    common = {"vocab_size": size, "hidden_size": 32, "num_hidden_layers": 2, "initializer_range": 0.4}
    ends = {"eos_token_id": 0, "pad_token_id": 1, "bos_token_id": None}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 48}
    if kind == "mamba":
        config = MambaConfig(**common, **ends, state_size=4, **settings)
    else:
        made = {"llama": LlamaConfig, "mistral": MistralConfig}[kind]
        config = made(**common, **ends, **heads, max_position_embeddings=256, **settings)
    return AutoModelForCausalLM.from_config(config).eval()


def literal(text):
    return algebra.literal(text.encode())


LETTERS = algebra.byte_set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
NUMBER = algebra.concat(algebra.byte_set(b"123456789"), algebra.repeat(algebra.byte_set(b"0123456789"), 0, 3))
SPACE = algebra.optional(literal(" "))
PERSON = algebra.concat(
    *(literal('{"name":'), SPACE, literal('"'), algebra.repeat(LETTERS, 1, 12), literal('",'), SPACE),
    *(literal('"age":'), SPACE, NUMBER, literal("}")),
)
LANGUAGES = (PERSON, algebra.repeat(LETTERS, 0, 20), algebra.strings([b"yes", b"no", b"perhaps"]))


def canvas(table, vocabulary, rows=1, slots=SLOTS):
    tokens = torch.full((rows, slots), vocabulary.pad_id)
    constraint = TokenAutomaton.begin(table, slots, rows, pieces=vocabulary.pieces)
    return Canvas(tokens, torch.zeros_like(tokens, dtype=torch.bool), constraint)


def asked(prompt):
    return SimpleNamespace(prompt=prompt, thinking=None, describe=lambda: "a text")


@torch.inference_mode()
def left_to_right(denoiser, prompt, table, temperature=0.0, seed=0):
    """The oracle: one token at a time, everything computed afresh, the table read entry by entry."""
    ids = denoiser.tokenizer(prompt)["input_ids"]
    state, written = table.start, []
    while state != table.end:
        logits = denoiser.model(torch.tensor([ids + written])).logits[0, -1].float()
        if temperature:
            shape = (1, len(logits))
            logits = (
                logits + fixed_point.noise(torch.tensor([seed]), torch.tensor([len(written)]), shape, temperature)[0, 0]
            )
        after = dict(zip(*(part[table.offsets[state] : table.offsets[state + 1]].tolist()
                           for part in (table.classes, table.targets)), strict=True))  # fmt: skip
        room = SLOTS - len(written) - 1
        allowed = [
            v for v, c in enumerate(table.token_class.tolist()) if c in after and table.distance[after[c]] <= room
        ]
        best = max(allowed, key=lambda token: float(logits[token]))
        written.append(best)
        state = after[int(table.token_class[best])]
    return written


def run(denoiser, prompts, table, *, guess="own", temperature=0.0, seed=0, start=None, watch=lambda *_: None):
    """Fixed-point iteration of one canvas a prompt, together; the tokens of each to its end, and the passes."""
    vocabulary = denoiser.vocabulary(None)
    whole = canvas(table, vocabulary, len(prompts))
    state, constraint = start, whole.constraint
    for number, prompt in enumerate(prompts if start is None else ()):
        new = denoiser.start(asked(prompt), canvas(table, vocabulary))
        state = new if number == 0 else state.append(new)
    tokens = denoiser.noise(whole, vocabulary, None)
    rows, texts, passes = torch.arange(len(prompts)), [None] * len(prompts), 0
    settled, seeds = torch.zeros(len(prompts), dtype=torch.long), torch.full((len(prompts),), seed)
    random = torch.Generator().manual_seed(seed)
    while len(rows):
        if guess == "own":
            tokens = denoiser.guess(tokens, replace(whole.rows(rows), constraint=constraint), state)
        elif guess == "random":
            free = torch.arange(SLOTS) >= settled[:, None]
            tokens = torch.where(free, torch.randint(0, 300, tokens.shape, generator=random), tokens)
        logits, state = denoiser.denoise(tokens, state)
        width, passes = logits.shape[1], passes + 1
        slots = settled[:, None] + torch.arange(width)
        fed = tokens.gather(1, slots)
        noise = fixed_point.noise(seeds[rows], settled, logits.shape[1:], temperature) if temperature else None
        draft = constraint.left_to_right(logits, noise).tokens
        watch(state, tokens, logits)
        tokens = tokens.scatter(1, slots, draft)
        settled = settled + fixed_point.accept(draft, fed)
        constraint, state = constraint.settle(tokens, settled), denoiser.settle(state, settled)
        ended = constraint.state == table.end
        for row in ended.nonzero().flatten().tolist():
            written = tokens[row].tolist()
            texts[int(rows[row])] = written[: written.index(vocabulary.end_ids[0]) + 1]
        left = (~ended).nonzero().flatten()
        rows, tokens, settled = rows[left], tokens[left], settled[left]
        constraint, state = constraint.rows(left), state.rows(left)
    return texts, passes
