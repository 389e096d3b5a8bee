"""Patterns that could not be judged are remembered by the thread that judged, and by no other."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from dgsolve.language.json_schema.judged_patterns import JudgedPatterns
from dgsolve.language.regex.matching import LONGEST


def test_each_thread_knows_its_own_failures():
    patterns = JudgedPatterns()
    pattern = patterns({}, "b", ["pattern"])
    with pytest.raises(ValueError, match="b"):
        pattern.validate("a" * (LONGEST + 1))
    with ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: list(patterns.failed)).result() == []
        other.submit(lambda: patterns.failed.clear()).result()
    assert patterns.failed == ["b"]
