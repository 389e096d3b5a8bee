"""Options of `dgsolve json` by their names in Python, and errors that name them as the command line does."""

from __future__ import annotations

import re
import shlex
from functools import partial

from dgsolve.errors import DgsolveError
from dgsolve.unknown_options import ELSEWHERE

SPELLINGS = {  # the options of generator and run that are options here
    "max_new_tokens": "--max-new-tokens",
    "thinking": "--thinking",
    "thinking_markers": "--thinking-markers",
    "images": "--image",
    "fill": "--fill",
    "lenient": "--lenient",
    "instruct": "--no-instruct",
    "draw": "--draw",
    "t_max": "--t-max",
    "max_denoising_steps": "--steps",
    "attempts": "--attempts",
    "seed": "--seed",
    "time_limit": "--time-limit",
}
LOADING = {name: f"--{name}" for name in ("adapter", "device", "dtype", "lines", "quantize")}  # of `load`


def reword(error: DgsolveError) -> None:
    """Let an error name each option, such as `max_new_tokens=`, as it is written at the command line."""
    error.message, error.hint = _spelled(error.message), _spelled(error.hint)
    error.args = (error.message,)
    error.__notes__ = [_spelled(note) for note in getattr(error, "__notes__", ())]


def instead_of(option: str) -> str:
    """What to write instead of an option that only other libraries have; "" where nothing is known.

    >>> instead_of("--max-tokens")
    'Write --max-new-tokens.'
    """
    ours, words = ELSEWHERE.get(option.lstrip("-").replace("-", "_"), ("", ""))
    return "" if ours and ours not in SPELLINGS else _spelled(words).replace("output_type", "--schema")


def _spelled(text: str) -> str:
    """What is followed by a value gets a space before it; a bare name counts where it cannot be a word.

    Names in quotes and in JSON Pointers are the caller's own keys.
    """
    text = re.sub(r", or None$", "", text)  # which is to leave the option out
    text = re.sub(r"\bSampling\((.*?)\): ", r"\1: ", text)
    for name, option in (SPELLINGS | LOADING).items():
        text = re.sub(rf"\b{name}=True\b", option, text)
        text = re.sub(rf"\b{name}=\(('.*?'|\".*?\"), ('.*?'|\".*?\")\)", partial(_two, option), text)
        text = re.sub(rf"\b{name}=(?=[\w'\"{{\[-])", f"{option} ", text)
        text = re.sub(rf"\b{name}=", option, text)
        if "_" in name:
            text = re.sub(rf"(?<![\w/'\"]){name}\b", option, text)
    return text


def _two(option: str, pair: re.Match[str]) -> str:
    return " ".join([option, *(shlex.quote(quoted[1:-1]) for quoted in pair.groups())])
