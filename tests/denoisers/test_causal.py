"""The causal denoiser writes what constrained decoding from left to right writes, token for token."""

from dataclasses import replace
from functools import wraps
from types import SimpleNamespace

import pytest
import torch

from dgsolve.canvas import Canvas
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.language import algebra
from dgsolve.language.token_table import compile_tokens
from dgsolve.sampling import fixed_point

SLOTS = 40
PROMPTS = ("Maria is 34.", "The box, of Ana Diaz and 7 others, stands in Rome; it has seen better days.", "x")


@pytest.fixture(scope="module")
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


def network(seed, kind="llama", **settings):
    """A tiny model whose random weights are large enough to make up its mind."""
    from transformers import AutoModelForCausalLM, LlamaConfig, MambaConfig, MistralConfig

    torch.manual_seed(seed)
    common = {"vocab_size": 300, "hidden_size": 32, "num_hidden_layers": 2, "initializer_range": 0.4}
    ends = {"eos_token_id": 0, "pad_token_id": 1, "bos_token_id": None}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 48}
    if kind == "mamba":
        config = MambaConfig(**common, **ends, state_size=4, **settings)
    else:
        made = {"llama": LlamaConfig, "mistral": MistralConfig}[kind]
        config = made(**common, **ends, **heads, max_position_embeddings=256, **settings)
    return AutoModelForCausalLM.from_config(config).eval()


@pytest.fixture(scope="module")
def denoisers(tokenizer):
    return [CausalDenoiser.from_transformers(network(seed), tokenizer) for seed in range(8)]


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


@pytest.fixture(scope="module")
def tables(denoisers):
    vocabulary = denoisers[0].vocabulary(None)
    return [compile_tokens(language, vocabulary) for language in LANGUAGES]


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
        draft = constraint.left_to_right(logits, noise)
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


@pytest.mark.parametrize("language", range(len(LANGUAGES)))
@pytest.mark.parametrize("guess", ["own", "none", "random"])
def test_greedy_is_left_to_right_decoding_whatever_is_guessed(denoisers, tables, language, guess):
    for number, denoiser in enumerate(denoisers):
        prompt = PROMPTS[number % len(PROMPTS)]
        texts, passes = run(denoiser, [prompt], tables[language], guess=guess)
        assert texts == [left_to_right(denoiser, prompt, tables[language])]
        assert passes <= SLOTS


@pytest.mark.parametrize("temperature", [0.7, 4.0])
def test_sampling_is_left_to_right_sampling_with_the_same_noise(denoisers, tables, temperature):
    drawn = set()
    for seed in range(6):
        texts, _ = run(denoisers[0], PROMPTS[:1], tables[1], temperature=temperature, seed=seed)
        assert texts == [left_to_right(denoisers[0], PROMPTS[0], tables[1], temperature, seed)]
        drawn.add(tuple(texts[0]))
    assert len(drawn) > 1


@pytest.mark.parametrize("language", range(len(LANGUAGES)))
def test_rows_of_a_batch_write_what_they_write_alone(denoisers, tables, language):
    for denoiser in denoisers[:3]:
        together, _ = run(denoiser, PROMPTS, tables[language])
        assert together == [run(denoiser, [prompt], tables[language])[0][0] for prompt in PROMPTS]


def test_logits_with_kept_keys_and_values_are_those_computed_from_nothing(denoisers, tables):
    denoiser, compared = denoisers[1], 0

    def watch(state, tokens, logits):
        nonlocal compared
        for row, prompt in enumerate(state.prompts):
            first = int(state.settled[row])
            ids = [*prompt.ids, *tokens[row, : first + logits.shape[1] - 1].clamp(min=0).tolist()]
            with torch.inference_mode():
                afresh = denoiser.model(torch.tensor([ids])).logits[0, -logits.shape[1] :]
            torch.testing.assert_close(logits[row], afresh, rtol=1e-3, atol=1e-3)
            compared += 1

    run(denoiser, PROMPTS, tables[0], watch=watch)
    assert compared > 10


def test_a_window_is_fed_once_and_without_a_mask_where_one_canvas_is_alone(denoisers, tables, monkeypatch):
    denoiser, fed = denoisers[0], []
    forward = denoiser.model.forward

    def counted(**arguments):
        fed.append(arguments["input_ids"].shape[1])
        assert "attention_mask" not in arguments
        return forward(**arguments)

    monkeypatch.setattr(denoiser.model, "forward", wraps(forward)(counted))
    widths = []
    run(denoiser, PROMPTS[:1], tables[0], watch=lambda state, tokens, logits: widths.append(logits.shape[1]))
    prompt = len(denoiser.tokenizer(PROMPTS[0])["input_ids"])
    assert fed == [prompt + widths[0] - 1, *widths[1:]]


def test_what_is_known_of_a_prompt_serves_rows_that_join_or_begin_again(denoisers, tables):
    denoiser, vocabulary = denoisers[2], denoisers[2].vocabulary(None)
    expected, _ = run(denoiser, PROMPTS[:1], tables[0])
    states = []
    run(denoiser, PROMPTS[:1], tables[0], watch=lambda state, *_: states.append(state))
    fresh = denoiser.start(asked(PROMPTS[0]), canvas(tables[0], vocabulary))
    again = states[-1].put(torch.tensor([0]), fresh)
    joined = states[-1].append(fresh).rows(torch.tensor([1]))
    prompt = len(fresh.prompts[0].ids)
    assert fresh.cache.lengths.tolist() == [0]
    for state in (again, joined):
        assert int(state.cache.lengths) > prompt and int(state.settled) == 0
        assert run(denoiser, PROMPTS[:1], tables[0], start=state)[0] == expected
    other = denoiser.start(asked(PROMPTS[1]), canvas(tables[0], vocabulary))
    assert states[-1].put(torch.tensor([0]), other).cache.lengths.tolist() == [0]


def test_rows_that_start_together_read_their_prompt_once(denoisers, tables):
    denoiser = denoisers[0]
    state = denoiser.start(asked(PROMPTS[1]), canvas(tables[0], denoiser.vocabulary(None), rows=3))
    assert state.cache.lengths.tolist() == [len(state.prompts[0].ids) - 1] * 3
    texts, _ = run(denoiser, [PROMPTS[1]] * 3, tables[0], start=state)
    assert texts == run(denoiser, [PROMPTS[1]], tables[0])[0] * 3


def test_the_denoiser_holds_no_run_state(denoisers, tables):
    denoiser, vocabulary = denoisers[3], denoisers[3].vocabulary(None)
    tokens = torch.randint(0, 300, (1, SLOTS), generator=torch.Generator().manual_seed(1))
    start = denoiser.start(asked(PROMPTS[0]), canvas(tables[0], vocabulary))
    first, state = denoiser.denoise(tokens, start)
    denoiser.denoise(tokens.flip(1), denoiser.start(asked(PROMPTS[1]), canvas(tables[0], vocabulary)))
    second, _ = denoiser.denoise(tokens, start)
    assert torch.equal(first, second) and start.cache.lengths.tolist() == [0]
    third, _ = denoiser.denoise(tokens, denoiser.settle(state, torch.tensor([3])))
    again, _ = denoiser.denoise(tokens, denoiser.settle(state, torch.tensor([3])))
    assert torch.equal(third, again)


@pytest.mark.parametrize(
    ("kind", "settings"), [("mistral", {"sliding_window": 6}), ("mamba", {}), ("llama", {"dtype": torch.bfloat16})]
)
def test_models_with_other_memories_and_numbers(tokenizer, tables, kind, settings):
    made = CausalDenoiser.from_transformers(network(5, kind, **settings), tokenizer)
    assert made._caches == (kind != "mamba")
    for prompt in PROMPTS[:2]:
        assert run(made, [prompt], tables[0])[0] == [left_to_right(made, prompt, tables[0])]
    if kind != "mamba":
        assert run(made, PROMPTS, tables[0])[0] == [left_to_right(made, prompt, tables[0]) for prompt in PROMPTS]


def test_a_guess_saves_passes_where_text_is_forced(denoisers, tables):
    form = algebra.concat(*(algebra.concat(algebra.byte_set(b"+-"), literal("=#?!/")) for _ in range(5)))
    table = compile_tokens(form, denoisers[0].vocabulary(None))
    for denoiser in denoisers[:3]:
        texts, passes = run(denoiser, PROMPTS[:1], table)
        assert len(texts[0]) == 31 and passes <= 6 < run(denoiser, PROMPTS[:1], table, guess="none")[1]


def test_slots_that_are_pinned_keep_their_tokens_in_a_guess(denoisers, tables):
    denoiser, vocabulary = denoisers[0], denoisers[0].vocabulary(None)
    written, _ = run(denoiser, PROMPTS[:1], tables[0])
    full = torch.tensor([written[0] + [vocabulary.pad_id] * (SLOTS - len(written[0]))])
    slots = torch.arange(SLOTS)[None] >= 5
    pinned = canvas(tables[0], vocabulary).lock(full, slots)
    guessed = denoiser.guess(
        denoiser.noise(pinned, vocabulary, None), pinned, denoiser.start(asked(PROMPTS[0]), pinned)
    )
    assert torch.equal(guessed[slots], full[slots]) and int(guessed.min()) >= 0


def test_what_cannot_be_read_is_refused(denoisers, tables, tokenizer):
    from transformers import T5Config, T5ForConditionalGeneration

    denoiser, vocabulary = denoisers[0], denoisers[0].vocabulary(None)
    with pytest.raises(UsageError, match="cannot read a text: it has no prompt"):
        denoiser.start(asked(None), canvas(tables[0], vocabulary))
    with pytest.raises(UsageError, match=r"prompt has 300 tokens and the answer may have 40.* 256 tokens"):
        denoiser.start(asked("z" * 300), canvas(tables[0], vocabulary))
    with pytest.raises(UsageError, match="window=0"):
        CausalDenoiser(denoiser.model, tokenizer, vocabulary, window=0)
    small = T5Config(vocab_size=300, d_model=8, d_ff=8, num_layers=1, num_heads=1, d_kv=8)
    with pytest.raises(UsageError, match="no causal language model"):
        CausalDenoiser.from_transformers(T5ForConditionalGeneration(small), tokenizer)


def test_loads_from_a_folder_and_says_what_is_missing(denoisers, tokenizer, tmp_path, tables):
    denoisers[0].model.save_pretrained(tmp_path / "tiny")
    with pytest.raises(ModelUnavailableError, match=r"tiny cannot be loaded on cpu") as raised:
        CausalDenoiser.load(tmp_path / "tiny", device="cpu")
    assert "save_pretrained" in raised.value.hint
    tokenizer.save_pretrained(tmp_path / "tiny")
    loaded = CausalDenoiser.load(tmp_path / "tiny", device="cpu", window=7)
    assert loaded.weights == tmp_path / "tiny" / "model.safetensors"
    assert run(loaded, PROMPTS[:1], tables[0])[0] == run(denoisers[0], PROMPTS[:1], tables[0])[0]
    with pytest.raises(UsageError, match="no language model called 'smoll'") as unknown:
        CausalDenoiser.load("smoll")
    assert "smollm2" in unknown.value.hint
