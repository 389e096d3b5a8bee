"""A tokenizer of 512 tokens in Gemma's layout, made by code: for models small enough to be trained on a CPU."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SIZE = 512
PAD, END, BEGIN, UNKNOWN = "<pad>", "<eos>", "<bos>", "<unk>"
TURN, END_OF_TURN = "<|turn>", "<turn|>"
SPECIAL = (
    *(PAD, END, BEGIN, UNKNOWN, "<mask>", TURN, END_OF_TURN, "<|think|>", "<|channel>", "<channel|>"),
    *("<|image>", "<image|>", "<|image|>"),
)
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
SPACE = "\u2581"  # how SentencePiece writes a space
CHARACTERS = (SPACE, "\n", *string.digits, *string.ascii_letters, *string.punctuation)
WORDS = tuple(
    """
    system user model Solve Sudoku true false null name age city date email phone address number price total item items
    quantity currency title type status country company order invoice event contact start end time year month day
    ing er ed es en on or an al ar in is it re st th he ti nt te at ou ion ent
    _the _this _a _an _and _or _of _to _in _is _for _on _at _with _from _as _by _it _Sudoku _grid _row _rows _puzzle
    _JSON _name _age _city _Write _text _as _digits
    """.replace("_", SPACE).split()
)
PUNCTUATION = ('{"', '"}', '":', '",', f'":{SPACE}"', f'",{SPACE}"', f'":{SPACE}', f",{SPACE}", f".{SPACE}", SPACE * 2)

TEMPLATE = """\
{{- bos_token -}}
{%- set opening = messages[0]['role'] == 'system' -%}
{%- if opening or enable_thinking -%}
{{- '<|turn>system\\n' -}}
{%- if enable_thinking -%}{{- '<|think|>' -}}{%- endif -%}
{%- if opening -%}{{- messages[0]['content'] | trim -}}{%- endif -%}
{{- '<turn|>\\n' -}}
{%- endif -%}
{%- set turns = messages[1:] if opening else messages -%}
{%- for message in turns -%}
{{- '<|turn>' + ('model' if message['role'] == 'assistant' else message['role']) + '\\n' -}}
{{- message['content'] | trim + '<turn|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|turn>model\\n' -}}{%- endif -%}
"""


def pieces() -> list[str]:
    """The tokens in the order of their ids: special ones, bytes, characters, words, and unused ones up to `SIZE`."""
    known = dict.fromkeys((*SPECIAL, *BYTES, *CHARACTERS, *WORDS, *PUNCTUATION))
    return [*known, *(f"<unused{number}>" for number in range(SIZE - len(known)))]


def small_tokenizer() -> PreTrainedTokenizerFast:
    """The tokenizer: text becomes the fewest tokens that spell it, a digit always one, other characters their bytes.

    >>> small_tokenizer().tokenize("Solve 12 €")
    ['Solve', '▁', '1', '2', '▁', '<0xE2>', '<0x82>', '<0xAC>']
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    plain = set((*CHARACTERS, *WORDS, *PUNCTUATION))
    # Equal scores make the fewest tokens win; the low ones keep the text "<0x41>" from being read as a byte.
    scored = [(piece, -1.0 if piece in plain else -1000.0) for piece in pieces()]
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=SPECIAL.index(UNKNOWN), byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.decoder = decoders.Sequence([decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in SPECIAL])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        bos_token=BEGIN,
        unk_token=UNKNOWN,
        chat_template=TEMPLATE,
        clean_up_tokenization_spaces=False,
    )
