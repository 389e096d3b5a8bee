"""A prompt as token ids: text or chat messages, through the tokenizer's own chat template where it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from dgsolve.errors import ModelUnavailableError, UsageError, first_line
from dgsolve.images import Image, of_part, read_all
from dgsolve.plural import counted
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Prompt: TypeAlias = str | Sequence[Mapping[str, Any]]

TEXT_PARTS = ("text", "input_text", "output_text")  # as they are called in the content of messages
IMAGE_PARTS = ("image", "image_url", "input_image")
FORM = 'Write text, or messages like [{"role": "user", "content": "..."}].'


def encode(
    tokenizer: PreTrainedTokenizerBase, prompt: Prompt, *, system: str | None = None, thinking: bool = False
) -> list[int]:
    """The ids of a prompt that the model is to answer next.

    Text is one user message. Without a chat template the contents are taken as plain text, a blank line between
    messages. `system` goes before the messages. `thinking` tells the template, as `enable_thinking`, whether a thought
    may come before the answer. Where images stand the template writes its token for one. Raises UsageError for a prompt
    that cannot mean anything, or that the template refuses.

    >>> dgsolve.chat.encode(tokenizer, [{"role": "user", "content": "Hi"}])     # doctest: +SKIP
    [1, 9690, 198, ...]
    """
    spoken = messages(prompt, system)
    if not getattr(tokenizer, "chat_template", None):
        if images(prompt):
            raise UsageError("the model has no chat template, so there is no place for images", hint="Leave them out.")
        ids = tokenizer("\n\n".join(message["content"] for message in spoken))["input_ids"]
    else:
        ids = _templated(tokenizer, spoken, thinking)
    if not ids:
        raise UsageError("the prompt is empty", hint=FORM)
    return [int(token) for token in ids]


def messages(prompt: Prompt, system: str | None = None) -> list[dict[str, Any]]:
    """The prompt as checked messages, each with "role" and "content"; raises UsageError naming the bad one.

    A content is a text, or where images stand in it a list of parts, {"type": "text", "text": ...} and
    {"type": "image", "image": Image}.
    """
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


def read(prompt: Prompt, shown_images: Any = None) -> Prompt:
    """The prompt checked, as `messages` writes it; itself where it is a text, or written like that already.

    shown_images: a list of images that go before the last message of the user. Raises UsageError.
    """
    checked, before = messages(prompt), read_all(shown_images)
    if not before:
        return prompt if isinstance(prompt, str) or checked == list(prompt) else checked
    place = _last_of_user(checked)
    if place is None:
        raise UsageError("images= go before a message of the user, and the prompt has none", hint=FORM)
    content = checked[place]["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    checked[place]["content"] = [*({"type": "image", "image": image} for image in before), *parts]
    return checked


def images(prompt: Prompt) -> tuple[Image, ...]:
    """All images of a prompt, in their order."""
    if isinstance(prompt, str):
        return ()
    contents = [message["content"] for message in messages(prompt)]
    parts = [part for content in contents if not isinstance(content, str) for part in content]
    return tuple(part["image"] for part in parts if part["type"] == "image")


def instructed(prompt: Prompt, instruction: str) -> Prompt:
    """The prompt with the sentence after it; of messages, after the last one of the user, in a list of its own."""
    if isinstance(prompt, str):
        return f"{prompt}\n\n{instruction}"
    messages = list(prompt)
    place = _last_of_user(messages)
    if place is not None:
        messages[place] = {**messages[place], "content": _with_sentence(messages[place]["content"], instruction)}
    return messages


def _with_sentence(content: Any, sentence: str) -> Any:
    if isinstance(content, str):
        return f"{content}\n\n{sentence}"
    *before, last = content
    if last["type"] == "text":
        return [*before, {**last, "text": f"{last['text']}\n\n{sentence}"}]
    return [*content, {"type": "text", "text": sentence}]


def _last_of_user(messages: Sequence[Mapping[str, Any]]) -> int | None:
    places = [place for place, message in enumerate(messages) if message["role"] == "user"]
    return places[-1] if places else None


def source_text(prompt: Prompt) -> str:
    """What the people in a prompt of text wrote, without the template's words: where answers may be copied from."""
    return "\n".join(message["content"] for message in messages(prompt) if message["role"] != "system")


def require_room(prompt_tokens: int, new_tokens: int, context: int | None, of_images: Sequence[int] = ()) -> None:
    """Raises UsageError where a prompt and its answer, in tokens, are longer than the model's context.

    of_images: how many tokens of the prompt each of its images takes.
    """
    if context is not None and prompt_tokens + new_tokens > context:
        seen = f" ({sum(of_images):,} of them for {counted(len(of_images), 'image')})" if of_images else ""
        raise UsageError(
            f"the prompt has {prompt_tokens:,} tokens{seen} and the answer may have {new_tokens:,}, "
            f"together more than the {context:,} tokens of the model's context",
            hint=f"{'Show fewer images' if of_images else 'Shorten the prompt'}, lower max_new_tokens, "
            "or take a model with a longer context.",
        )


def _message(number: int, message: Any) -> dict[str, Any]:
    place = f"message {number + 1} of the prompt"
    if not isinstance(message, Mapping):
        raise UsageError(f"{place} is {shown(message)}, no mapping", hint=FORM)
    for key in ("role", "content"):
        if key not in message:
            raise UsageError(f"{place} has no {key!r}", hint=FORM)
    role, parts = message["role"], _parts(place, message["content"])
    for key, value in (("role", role), *(("content", part["text"]) for part in parts if part["type"] == "text")):
        if not isinstance(value, str):
            raise UsageError(f"{place}: its {key!r} is of type {type(value).__name__}, not text", hint=FORM)
    unknown = sorted(set(map(str, message)) - {"role", "content"})
    if unknown:
        raise UsageError(f"{place} has {unknown[0]!r}, which would be lost", hint=FORM)
    for part in parts:
        _refuse_half_characters(place, part.get("text", ""))
    only_text = len(parts) == 1 and parts[0]["type"] == "text"
    return {"role": role, "content": parts[0]["text"] if only_text else parts}


def _refuse_half_characters(place: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{place} has half a character (a lone surrogate) at {error.start}", hint="Repair it."
        ) from error


def _parts(place: str, content: Any) -> list[dict[str, Any]]:
    """The parts of a content, texts that follow each other as one, a line break between two."""
    if not isinstance(content, Sequence) or not content or not all(isinstance(part, Mapping) for part in content):
        return [{"type": "text", "text": content}]  # a text, or nothing that can be read
    parts: list[dict[str, Any]] = []
    for number, part in enumerate(content, 1):
        known = _part(f"{place}: part {number} of its 'content'", part)
        if parts and parts[-1]["type"] == known["type"] == "text":
            known["text"] = f"{parts.pop()['text']}\n{known['text']}"
        parts.append(known)
    return parts


def _part(place: str, part: Mapping[str, Any]) -> dict[str, Any]:
    """{"type": "text", "text": ...} or {"type": "image", "image": Image}."""
    kind = part.get("type")
    if kind in IMAGE_PARTS:
        source = of_part(part)
        if source is None:
            raise UsageError(f"{place} has no image", hint='Write {"type": "image", "path": "..."}.')
        return {"type": "image", "image": Image.read(source)}
    if kind not in TEXT_PARTS:
        message = f"{place} is {shown(kind)}; only text and images can be read"
        raise UsageError(message, hint="Leave it out, and say in words what it shows.")
    if not isinstance(part.get("text"), str):
        raise UsageError(f"{place} has no 'text'", hint=FORM)
    return {"type": "text", "text": part["text"]}


def _without_pixels(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [{"type": "image"} if part["type"] == "image" else part for part in content]


def _templated(tokenizer: PreTrainedTokenizerBase, spoken: list[dict[str, Any]], thinking: bool) -> Any:
    from jinja2 import TemplateSyntaxError

    told = [{**message, "content": _without_pixels(message["content"])} for message in spoken]
    try:
        encoded: Any = tokenizer.apply_chat_template(
            told, add_generation_prompt=True, return_dict=True, enable_thinking=thinking
        )
        return encoded["input_ids"]
    except TemplateSyntaxError as error:
        message = f"the model's chat template cannot be read, line {error.lineno}: {error.message}"
        raise ModelUnavailableError(message, hint="Copy it and the tokenizer's files again.") from error
    except Exception as error:  # a TemplateError, or whatever the template's own expressions raise
        roles = ", ".join(message["role"] for message in spoken)
        message = f"the model's chat template refuses messages of the roles {roles}: {first_line(error)}"
        raise UsageError(
            message, hint="Most templates want user and assistant in turn; some know no system."
        ) from error
