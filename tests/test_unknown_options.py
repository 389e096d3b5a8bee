"""Options that nobody knows are refused with the one that was meant, and the table of docs/json.md has them all."""

import inspect
import re
from pathlib import Path

import pytest
import typer

from dgsolve import Generator, Sampling, solve_many
from dgsolve.cli.app import build
from dgsolve.cli.option_words import SPELLINGS
from dgsolve.denoisers.causal import CausalDenoiser
from dgsolve.errors import UsageError
from dgsolve.model import EACH, ONCE
from dgsolve.unknown_options import ELSEWHERE, refuse_misplaced, refuse_unknown

PAGE = (Path(__file__).parents[1] / "docs" / "json.md").read_text("utf-8")
ROW = re.compile(r"\| `(\w+)` \| `([^`]*)`(?:, causal `([^`]*)`)? \| ([^|]+) \| (?:`([^`]*)` )?\|")


def rows() -> dict[str, tuple[str, str, str]]:
    table = PAGE[PAGE.index("| option | default |") :].split("\n\n")[0].splitlines()[2:]
    found = [ROW.fullmatch(line) for line in table]
    assert all(found), [line for line, match in zip(table, found, strict=True) if not match]
    return {match[1]: (match[2], match[3], match[5]) for match in found if match}


def test_the_table_has_every_option_with_its_default():
    signatures = map(inspect.signature, (Generator.__init__, Generator.run, solve_many))
    defaults = {name: given.default for each in signatures for name, given in each.parameters.items()}
    assert list(rows())[: len(ONCE)] == list(ONCE) and set(rows()) == {*ONCE, *EACH}
    for name, (default, causal, _) in rows().items():
        wanted = getattr(Sampling(), name) if name in Sampling.names() else defaults[name]
        assert default == repr(wanted), name
        if name in Sampling.names():
            own = getattr(CausalDenoiser.sampling, name)
            assert causal == (None if own == wanted else repr(own)), name


def test_the_table_spells_options_as_the_command_does():
    assert {name: option for name, (_, _, option) in rows().items() if option} == SPELLINGS
    command = typer.main.get_command(build(("json",))).commands["json"]
    named = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    others = PAGE[PAGE.index("Its other options are") :].split("\n\n")[0]
    assert named - {"--help"} == {*SPELLINGS.values(), *re.findall("`(--[a-z-]+)`", others)}


def test_what_is_meant_elsewhere_leads_to_options_that_there_are():
    assert {ours for ours, _ in ELSEWHERE.values() if ours} <= {*ONCE, *EACH}
    assert not set(ELSEWHERE) & {*ONCE, *EACH}
    for _, words in ELSEWHERE.values():
        for name in re.findall(r"\b([a-z_]+)=", words):
            assert name in {*ONCE, *EACH}, words


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("max_tokens", "Write max_new_tokens=."),
        ("max_length", "Write max_new_tokens=."),
        ("max_new_token", "Write max_new_tokens=."),
        ("temperature", "Write t_max=: the temperature"),
        ("top_p", "There is none"),
        ("top_k", "There is none"),
        ("n", "call it once for each seed"),
        ("stop", "a text ends where its form ends"),
        ("atempts", "Write attempts=."),
        ("steps", "Write max_denoising_steps=."),
        ("denoiser", "Known: "),
        ("problems", "Known: "),
        ("wholly_unlike", "Known: max_new_tokens, fill, "),
    ],
)
def test_an_unknown_option_names_the_one_that_was_meant(name, hint):
    with pytest.raises(UsageError) as caught:
        refuse_unknown([name], (*ONCE, *EACH))
    assert str(caught.value) == f"unknown option {name!r}"
    assert caught.value.hint.startswith(hint) or hint in caught.value.hint


def test_what_is_meant_elsewhere_counts_only_where_there_is_such_an_option():
    with pytest.raises(UsageError) as caught:
        refuse_unknown(["max_tokens"], Sampling.names())
    assert "max_new_tokens" not in caught.value.hint


def test_what_is_meant_elsewhere_is_told_with_the_call_that_takes_it():
    hint = "Give it with each prompt: generator(prompt, {}=...)."
    with pytest.raises(UsageError) as caught:
        refuse_misplaced(["max_retries"], EACH, hint)
    assert str(caught.value) == "unknown option 'max_retries'"
    assert caught.value.hint == "It is attempts= here. Give it with each prompt: generator(prompt, attempts=...)."
    refuse_misplaced(["max_tokens", "top_p", "unheard_of"], EACH, hint)


def test_solving_knows_its_own_options_beside_those_of_sampling():
    with pytest.raises(UsageError) as caught:
        solve_many([], "relational", timeout=5)
    assert caught.value.hint == "Write time_limit=, in seconds."
