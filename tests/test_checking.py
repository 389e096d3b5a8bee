"""Tokenizers that `check` cannot find or read."""

import json

import pytest

from dgsolve.checking import check
from dgsolve.errors import UsageError


def test_tokenizers_are_looked_for_on_this_machine_only(tmp_path):
    with pytest.raises(UsageError, match="tokenizer=3: write its name or folder"):
        check(int, 3)
    with pytest.raises(UsageError, match="no tokenizer called 'nope'") as caught:
        check({"type": "integer"}, "nope")
    assert "smollm2" in caught.value.hint
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(UsageError, match="no tokenizer can be read from"):
        check({"type": "integer"}, str(tmp_path))
