"""Tables on disk: made once, made again when damaged, never in the way."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import dgsolve
from dgsolve.cache_folder import cache_folder
from dgsolve.language import compile_cache
from dgsolve.language.algebra import literal, star
from dgsolve.language.compile_cache import cached, table_key
from dgsolve.language.token_table import TokenTable, compile_tokens
from dgsolve.language.vocabulary import TextVocabulary

VOCABULARY = TextVocabulary((b"a", b"ab", b"b", None), (3,), 3)


class Builder:
    """Makes the same table each time, and counts."""

    def __init__(self) -> None:
        self.calls = 0
        self.table = compile_tokens(star(literal(b"ab")), VOCABULARY)

    def __call__(self) -> TokenTable:
        self.calls += 1
        return self.table


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DGSOLVE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "token_tables"


def same(one: TokenTable, other: TokenTable) -> bool:
    pairs = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(TokenTable)]
    return all(np.array_equal(a, b) and np.asarray(a).dtype == np.asarray(b).dtype for a, b in pairs)


def test_a_table_is_made_once_for_each_key(folder: Path) -> None:
    build = Builder()
    for key in ("one", "one", "other", "one"):
        assert same(cached(key, build), build.table)
    assert build.calls == 2
    assert len(list(folder.iterdir())) == 2


def test_a_table_with_a_thought_is_kept_whole(folder: Path) -> None:
    table = replace(Builder().table, thought_states=2)
    for _ in range(2):
        assert same(cached("one", lambda: table), table)
    assert len(list(folder.iterdir())) == 1


def flip(data: bytearray) -> bytes:
    data[60] ^= 1  # inside the numbers of the first array
    return bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-8],
        lambda data: data[:-1],
        lambda data: data + bytes(8),
        lambda data: b"x" * len(data),
        lambda data: bytes(len(data)),
        lambda data: data[:64] + bytes(len(data) - 64),
        flip,
    ],
    ids=["empty", "half", "a word less", "a byte less", "longer", "other", "zeros", "zeros from a page on", "one bit"],
)
def test_damaged_files_are_made_anew(folder: Path, damage: Callable[[bytearray], bytes]) -> None:
    build = Builder()
    cached("key", build)
    (path,) = folder.iterdir()
    path.write_bytes(damage(bytearray(path.read_bytes())))
    assert same(cached("key", build), build.table)
    assert build.calls == 2
    assert same(cached("key", build), build.table)
    assert build.calls == 2


def test_any_flipped_bit_is_told(folder: Path) -> None:
    build = Builder()
    cached("key", build)
    (path,) = folder.iterdir()
    sound = path.read_bytes()
    for bit in range(8 * len(sound)):
        damaged = bytearray(sound)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        build.calls = 0
        assert same(cached("key", build), build.table)
        assert build.calls == 1, bit


def test_a_table_outlives_its_file_and_does_not_change_it(folder: Path) -> None:
    build = Builder()
    cached("key", build)
    (path,) = folder.iterdir()
    sound, table = path.read_bytes(), cached("key", build)
    table.targets[0] += 1
    assert path.read_bytes() == sound
    table.targets[0] -= 1
    path.unlink()
    assert same(table, build.table)
    assert build.calls == 1


def test_a_file_of_something_else_is_made_anew(folder: Path) -> None:
    build = Builder()
    cached("key", build)
    (path,) = folder.iterdir()
    with path.open("wb") as file:
        np.savez(file, token_class=np.array([object()]), offsets=np.zeros(1))
    assert same(cached("key", build), build.table)
    assert build.calls == 2


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    build = Builder()
    for where in (str(tmp_path / "file"), "off"):
        monkeypatch.setenv("DGSOLVE_CACHE", where)
        assert same(cached("key", build), build.table)
    assert build.calls == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_folder_that_can_only_be_read_serves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read-only file system")

    build = Builder()
    cached("key", build)
    monkeypatch.setattr(os, "utime", refuse)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert same(cached("key", build), build.table)
    assert build.calls == 1
    assert same(cached("other", build), build.table)
    assert build.calls == 2


def test_a_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    build = Builder()
    monkeypatch.setattr(os, "replace", full)
    assert same(cached("key", build), build.table)
    assert list(folder.iterdir()) == []


def test_the_longest_unused_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = Builder()
    cached("first", build)
    (first,) = folder.iterdir()
    monkeypatch.setattr(compile_cache, "MAX_BYTES", 2 * first.stat().st_size)
    cached("second", build)
    (second,) = set(folder.iterdir()) - {first}
    os.utime(first, (2_000_000_000, 2_000_000_000))
    os.utime(second, (1_000_000_000, 1_000_000_000))
    cached("third", build)
    assert first in set(folder.iterdir())
    assert second not in set(folder.iterdir())
    assert len(list(folder.iterdir())) == 2
    build.calls = 0
    cached("second", build)
    assert build.calls == 1


def test_a_failing_build_is_not_hidden(folder: Path) -> None:
    def broken() -> TokenTable:
        raise ValueError("what the schema says")

    with pytest.raises(ValueError, match="what the schema says"):
        cached("key", broken)


def test_keys_tell_schemas_vocabularies_and_versions_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    other = TextVocabulary((b"a", b"ab", b"b", None), (3,), 3)
    key = table_key("a+", VOCABULARY)
    assert key == table_key("a+", other)
    keys = {key, table_key("a*", VOCABULARY), table_key("a+", TextVocabulary((b"a", b"ab", b"c", None), (3,), 3))}
    monkeypatch.setattr(compile_cache, "FORMAT", 99)
    keys.add(table_key("a+", VOCABULARY))
    monkeypatch.setattr(compile_cache, "FORMAT", 1)
    monkeypatch.setattr(dgsolve, "__version__", "0.0.0")
    keys.add(table_key("a+", VOCABULARY))
    assert len(keys) == 5


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DGSOLVE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("DGSOLVE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "dgsolve"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "dgsolve"
