"""Copying from the prompt: where a value of the answer probably goes on."""

import pytest

from dgsolve.denoisers.prompt_copy import continuations, open_string

SOURCE = b"Maria Lopez, 34, lives in Lisbon. Write to maria.lopez@example.org about 1249.50 EUR."


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (b'{"name": "Mar', b'ia Lopez"'),
        (b'{"name": "Maria Lopez", "city": "L', b'isbon"'),  # after what was read, not the first L
        (b'{"city": "Lisbon", "name": "L', b'opez"'),  # none comes after it
        (b'{"mail": "maria', b'.lopez@example.org"'),
        (b'{"name": "Dr. Maria', b' Lopez"'),  # the longest end of it that occurs
        (b'{"age": 3', b"4,"),
        (b'{"total": 1249', b".50,"),
        (b"Read m", None),
        (b"lives in Lis", b"bon"),
    ],
)
def test_the_likeliest_continuation(text, first):
    found = continuations(text, SOURCE)
    assert (found[0] if found else None) == first


@pytest.mark.parametrize(
    "text", [b"", b'{"', b'{"name": "', b'{"name": "Zoe', b'{"age": ', b'{"age": 9', b'{"ok": true']
)
def test_nothing_is_made_up(text):
    assert continuations(text, SOURCE) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [(b'{"a": "b', b"b"), (b'{"a": "b"', None), (b'{"a": "\\"b', b'\\"b'), (b'{"a": "\\\\"', None), (b"[1", None)],
)
def test_where_a_string_is_open(text, value):
    assert open_string(text) == value
