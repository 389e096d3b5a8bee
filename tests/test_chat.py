"""Prompts as token ids: with and without a chat template, and what cannot be one."""

import pytest
from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError

from dgsolve import chat
from dgsolve.errors import ModelUnavailableError, UsageError


class Characters:
    """A tokenizer whose ids are code points; its template writes role>content|."""

    def __init__(self, template=None):
        self.chat_template = template

    def __call__(self, text):
        return {"input_ids": [ord(letter) for letter in text]}

    def apply_chat_template(self, messages, *, add_generation_prompt, return_dict, enable_thinking):
        assert add_generation_prompt and return_dict
        if messages[0]["role"] == "system" and self.chat_template == "no system":
            raise TemplateError("System role not supported")
        spoken = [f"{message['role']}>{message['content']}|" for message in messages]
        return self("".join(spoken) + "assistant>")


def text(ids):
    return "".join(map(chr, ids))


def test_text_is_one_user_message_of_the_template():
    tokenizer = Characters("yes")
    assert text(chat.encode(tokenizer, "Hi")) == "user>Hi|assistant>"
    assert text(chat.encode(tokenizer, "Hi", system="Be brief.")) == "system>Be brief.|user>Hi|assistant>"
    spoken = [
        {"role": role, "content": content} for role, content in (("user", "a"), ("assistant", "b"), ("user", "c"))
    ]
    assert text(chat.encode(tokenizer, spoken)) == "user>a|assistant>b|user>c|assistant>"


def test_without_a_template_it_is_plain_text():
    assert text(chat.encode(Characters(), "Hi")) == "Hi"
    assert text(chat.encode(Characters(), [{"role": "user", "content": "a"}], system="s")) == "s\n\na"


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        (3, "a prompt of type int means nothing"),
        (b"Hi", "a prompt of type bytes means nothing"),
        ([], "the prompt has no messages"),
        ("", "the prompt is empty"),
        ([{"role": "user"}], "message 1 of the prompt has no 'content'"),
        ([{"content": "x"}], "message 1 of the prompt has no 'role'"),
        (["Hi"], "message 1 of the prompt is 'Hi', no mapping"),
        ([{"role": "user", "content": "x"}, {"role": "user", "content": [1]}], "message 2 .*'content' is of type list"),
        ([{"role": "user", "content": "x", "name": "Bo"}], "message 1 of the prompt has 'name', which would be lost"),
        ("half \ud83d", "message 1 .* half a character .* at 5"),
    ],
)
def test_what_is_no_prompt_is_refused_with_its_place(prompt, said):
    with pytest.raises(UsageError, match=said):
        chat.encode(Characters(), prompt)


def test_two_systems_and_a_template_that_knows_none_are_refused():
    told = [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}]
    with pytest.raises(UsageError, match="system= is given and the messages begin with"):
        chat.encode(Characters("yes"), told, system="c")
    with pytest.raises(UsageError, match="refuses messages of the roles system, user: System role") as raised:
        chat.encode(Characters("no system"), told)
    assert isinstance(raised.value.__cause__, TemplateError)


def test_the_source_is_what_people_wrote():
    told = [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}, {"role": "user", "content": "c"}]
    assert chat.source_text(told) == "b\nc"
    assert chat.source_text("b") == "b"


def test_prompt_and_answer_must_fit_the_context():
    chat.require_room(60, 40, 100)
    chat.require_room(60, 40, None)
    with pytest.raises(UsageError, match=r"has 1,061 tokens and the answer may have 40, .* the 1,100 tokens"):
        chat.require_room(1061, 40, 1100)


PARTS = [{"type": "text", "text": "Who?"}, {"type": "input_text", "text": "Where?"}]


def test_parts_of_text_are_joined():
    told = [{"role": "system", "content": "a"}, {"role": "user", "content": PARTS}]
    assert chat.messages(told)[1] == {"role": "user", "content": "Who?\nWhere?"}
    assert chat.read(told) == [told[0], {"role": "user", "content": "Who?\nWhere?"}]
    assert chat.source_text(told) == "Who?\nWhere?"
    assert chat.read(told[:1]) == told[:1] and chat.read("Who?") == "Who?"
    assert told[1]["content"] is PARTS


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"type": "audio", "url": "x"}, "message 1 .* part 3 .* is 'audio'; only text and images"),
        ({"text": "x"}, "part 3 of its 'content' is None; only text"),
        ({"type": "image"}, "part 3 of its 'content' has no image"),
        ({"type": "text"}, "part 3 of its 'content' has no 'text'"),
        ({"type": "text", "text": 3}, "part 3 of its 'content' has no 'text'"),
        ("x", "'content' is of type list"),
    ],
)
def test_other_parts_are_refused_by_name(part, said):
    with pytest.raises(UsageError, match=said):
        chat.read([{"role": "user", "content": [*PARTS, part]}])


def test_a_template_that_fails_is_told_whatever_it_raises():
    class Broken(Characters):
        def apply_chat_template(self, messages, **_):
            raise self.chat_template

    with pytest.raises(ModelUnavailableError, match="chat template cannot be read, line 7: no end") as caught:
        chat.encode(Broken(TemplateSyntaxError("no end", 7)), "Hi")
    assert "again" in caught.value.hint
    for error in (OverflowError("Range too big"), TypeError("no text"), UndefinedError("no element 3")):
        with pytest.raises(UsageError, match=f"template refuses messages of the roles user: {error}"):
            chat.encode(Broken(error), "Hi")
