"""What a form asks for and how it will be kept, without a model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dgsolve.errors import UsageError, first_line
from dgsolve.forms import Form, compile_form
from dgsolve.forms.json_form import JsonForm
from dgsolve.language.json_schema.language import KeywordUse
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class CheckReport:
    """keywords: what enforces each. states: of the automaton over bytes. min_tokens: None where none can be counted.

    validators: whether the type's own code judges each text too.
    """

    name: str
    keywords: tuple[KeywordUse, ...]
    warnings: tuple[str, ...]
    states: int
    shortest: str
    min_tokens: int | None
    tokenizer: str
    validators: bool

    def lines(self) -> list[str]:
        """The rest of the report, for people."""
        tokens = "" if self.min_tokens is None else f", {self.min_tokens} tokens of {self.tokenizer}"
        own = f"validators of {self.name}: they judge each text, and what they fault is written anew"
        judged = [own] if self.validators else []
        size = [f"automaton: {self.states:,} states", f"shortest text: {self.shortest}{tokens}"]
        return [*self.warnings, *judged, *size]

    def fields(self) -> dict[str, Any]:
        """For --json."""
        return asdict(self)


def check(output_type: Any, tokenizer: str = "smollm2", *, lenient: bool = False) -> CheckReport:
    """Compile an output type and say how every part of it is enforced. Raises SchemaError as a run would."""
    form = compile_form(output_type, lenient=lenient)
    acceptor = form.acceptor()
    json = form if isinstance(form, JsonForm) else None
    return CheckReport(
        form.name,
        json.keywords if json else (),
        json.warnings if json else (),
        len(acceptor),
        (acceptor.shortest or b"").decode(),
        _tokens(form, tokenizer),
        tokenizer,
        json.output.has_validators if json else False,
    )


def _tokens(form: Form, name: str) -> int | None:
    """Of the shortest text, where the tokenizer is on this machine."""
    from dgsolve.models import NAMES, find

    if not isinstance(name, str):
        raise UsageError(f"tokenizer={shown(name)}: write its name or folder as text")
    folder = find(name) if name in NAMES else Path(name)
    if folder is None:
        return None
    if not folder.is_dir():
        hint = f"Known: {', '.join(NAMES)}; or give the folder of a Transformers model."
        raise UsageError(f"there is no tokenizer called {shown(name)}", hint=hint)
    return form.min_tokens(_tokenizer(folder))


def _tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    try:
        found: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        return found
    except Exception as error:  # whatever Transformers and its readers of files raise
        hint = "Give the folder of a Transformers model, with its tokenizer.json."
        raise UsageError(f"no tokenizer can be read from {folder}: {first_line(error):.200}", hint=hint) from error
