"""A prompt as token ids: text or chat messages, through the tokenizer's own chat template where it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from dgsolve.errors import UsageError
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Prompt: TypeAlias = str | Sequence[Mapping[str, Any]]

TEXT_PARTS = ("text", "input_text", "output_text")  # as they are called in the content of messages
FORM = 'Write text, or messages like [{"role": "user", "content": "..."}].'


def encode(
    tokenizer: PreTrainedTokenizerBase, prompt: Prompt, *, system: str | None = None, thinking: bool = False
) -> list[int]:
    """The ids of a prompt that the model is to answer next.

    Text is one user message. Without a chat template the contents are taken as plain text, a blank line between
    messages. `system` goes before the messages. `thinking` tells the template, as `enable_thinking`, whether a thought
    may come before the answer. Raises UsageError for a prompt that cannot mean anything, or that the template refuses.

    >>> dgsolve.chat.encode(tokenizer, [{"role": "user", "content": "Hi"}])     # doctest: +SKIP
    [1, 9690, 198, ...]
    """
    spoken = messages(prompt, system)
    if not getattr(tokenizer, "chat_template", None):
        ids = tokenizer("\n\n".join(message["content"] for message in spoken))["input_ids"]
    else:
        ids = _templated(tokenizer, spoken, thinking)
    if not ids:
        raise UsageError("the prompt is empty", hint=FORM)
    return [int(token) for token in ids]


def messages(prompt: Prompt, system: str | None = None) -> list[dict[str, str]]:
    """The prompt as checked messages, each with "role" and "content"; raises UsageError naming the bad one."""
    if isinstance(prompt, str):
        spoken: Sequence[Any] = [{"role": "user", "content": prompt}]
    elif isinstance(prompt, Sequence) and not isinstance(prompt, bytes | bytearray):
        spoken = prompt
    else:
        raise UsageError(f"a prompt of type {type(prompt).__name__} means nothing", hint=FORM)
    if not spoken:
        raise UsageError("the prompt has no messages", hint=FORM)
    checked = [_message(number, message) for number, message in enumerate(spoken)]
    if system is None:
        return checked
    if checked[0]["role"] == "system":
        raise UsageError("system= is given and the messages begin with a system message", hint="Give one of the two.")
    return [_message(0, {"role": "system", "content": system}), *checked]


def in_texts(prompt: Prompt) -> Prompt:
    """The prompt checked, each message's content one text; itself where that is so already."""
    checked = messages(prompt)
    return prompt if isinstance(prompt, str) or checked == list(prompt) else checked


def instructed(prompt: Prompt, instruction: str) -> Prompt:
    """The prompt with the sentence after it; of messages, after the last one of the user, in a list of its own."""
    if isinstance(prompt, str):
        return f"{prompt}\n\n{instruction}"
    messages = list(prompt)
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message["role"] == "user":
            messages[place] = {**message, "content": f"{message['content']}\n\n{instruction}"}
            break
    return messages


def source_text(prompt: Prompt) -> str:
    """What the people in the prompt wrote, without the template's own words: where answers may be copied from."""
    return "\n".join(message["content"] for message in messages(prompt) if message["role"] != "system")


def require_room(prompt_tokens: int, new_tokens: int, context: int | None) -> None:
    """Raises UsageError where a prompt and its answer, in tokens, are longer than the model's context."""
    if context is not None and prompt_tokens + new_tokens > context:
        raise UsageError(
            f"the prompt has {prompt_tokens:,} tokens and the answer may have {new_tokens:,}, "
            f"together more than the {context:,} tokens of the model's context",
            hint="Shorten the prompt, lower max_new_tokens, or take a model with a longer context.",
        )


def _message(number: int, message: Any) -> dict[str, str]:
    place = f"message {number + 1} of the prompt"
    if not isinstance(message, Mapping):
        raise UsageError(f"{place} is {shown(message)}, no mapping", hint=FORM)
    for key in ("role", "content"):
        if key not in message:
            raise UsageError(f"{place} has no {key!r}", hint=FORM)
    role, content = message["role"], _content(place, message["content"])
    for key, value in (("role", role), ("content", content)):
        if not isinstance(value, str):
            raise UsageError(f"{place}: its {key!r} is of type {type(value).__name__}, not text", hint=FORM)
    unknown = sorted(set(map(str, message)) - {"role", "content"})
    if unknown:
        raise UsageError(f"{place} has {unknown[0]!r}, which would be lost", hint=FORM)
    try:
        content.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{place} has half a character (a lone surrogate) at {error.start}", hint="Repair it."
        ) from error
    return {"role": role, "content": content}


def _content(place: str, content: Any) -> Any:
    """Parts of text as one text, a line break between two; what is no list of parts as it is."""
    if not isinstance(content, Sequence) or not content or not all(isinstance(part, Mapping) for part in content):
        return content
    for number, part in enumerate(content, 1):
        if part.get("type") not in TEXT_PARTS:
            message = f"{place}: part {number} of its 'content' is {shown(part.get('type'))}; only text can be read"
            raise UsageError(message, hint="Leave it out, and say in words what it shows.")
        if not isinstance(part.get("text"), str):
            raise UsageError(f"{place}: part {number} of its 'content' has no 'text'", hint=FORM)
    return "\n".join(part["text"] for part in content)


def _templated(tokenizer: PreTrainedTokenizerBase, spoken: list[dict[str, str]], thinking: bool) -> Any:
    from jinja2 import TemplateError

    try:
        encoded: Any = tokenizer.apply_chat_template(
            spoken, add_generation_prompt=True, return_dict=True, enable_thinking=thinking
        )
        return encoded["input_ids"]
    except TemplateError as error:
        roles = ", ".join(message["role"] for message in spoken)
        message = f"the model's chat template refuses messages of the roles {roles}: {error}"
        raise UsageError(
            message, hint="Most templates want user and assistant in turn; some know no system."
        ) from error
