"""From a schema to a ready token automaton: how long, how much memory, what is refused, and how long with a warm cache.

    python benchmarks/compile_times.py --tokenizer FOLDER            # a tokenizer's folder, or its tokenizer.json

Milliseconds of computing are those of the thread, however busy the machine is. The peak memory is that of the whole
run, tokenizer included; `--alone N` compiles the N slowest again, each in its own process, and gives their peaks.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from figures import quantiles
from vocabularies import vocabulary_at
from worker_process import LostError, Worker

from dgsolve.bench.memory import peak_mb
from dgsolve.cache_folder import VARIABLE
from dgsolve.errors import DgsolveError
from dgsolve.forms import compile_form
from dgsolve.language.compile_cache import cached, table_key
from dgsolve.language.json_schema.language import compile_schema
from dgsolve.language.token_table import TokenTable, compile_tokens
from dgsolve.language.vocabulary import TextVocabulary

DATA = Path(__file__).parents[2] / "shared" / "data" / "jsonschemabench"
SECONDS = 60.0  # wall time after which a process of its own is ended

WORK = {
    "schema to token automaton, computing:": "computing",
    "schema to token automaton, wall:": "wall",
    "schema to byte automaton, computing:": "compile",
    "table from the warm cache, computing:": "warm",
    "table from the warm cache, wall:": "warm wall",
}

Line = dict[str, Any]


def measured(schema: Any, vocabulary: TextVocabulary) -> Line:
    """Compile a schema, nothing taken from the disk; then what the warm cache takes."""
    line: Line = {}
    wall, own = time.perf_counter(), time.thread_time()
    try:
        acceptor = compile_schema(schema).acceptor
        line |= {"compile": time.thread_time() - own, "states": len(acceptor)}
        table = compile_tokens(acceptor, vocabulary)
    except DgsolveError as error:
        line["refused"] = f"{type(error).__name__}: {error.message}"
    line |= {"computing": time.thread_time() - own, "wall": time.perf_counter() - wall}
    return line if "refused" in line else line | _warm(schema, vocabulary, table)


def _warm(schema: Any, vocabulary: TextVocabulary, table: TokenTable) -> Line:
    """Seconds for a table that is on disk, by a form that knows nothing yet."""
    cached(table_key(compile_form(schema).key, vocabulary), lambda: table)
    wall, own = time.perf_counter(), time.thread_time()
    compile_form(schema).table(vocabulary)
    return {"warm": time.thread_time() - own, "warm wall": time.perf_counter() - wall}


class Alone:
    """Compiles one schema in a process of its own and says how much memory the process had at most, in megabytes."""

    def __init__(self, tokenizer: Path) -> None:
        self.vocabulary = vocabulary_at(tokenizer)
        self.before = peak_mb() or 0.0

    def __call__(self, schema: Any) -> tuple[float, float, float]:
        line = measured(schema, self.vocabulary)
        return line["computing"], self.before, peak_mb() or 0.0


def report(lines: Mapping[str, Line]) -> None:
    done = [line for line in lines.values() if "refused" not in line]
    print(f"\n{len(lines)} schemas, {len(done)} compiled, {len(lines) - len(done)} refused; milliseconds:")
    for what, name in WORK.items():
        print(f"  {what:<37}", quantiles([1000 * line[name] for line in lines.values() if name in line]))
    print(f"  peak memory of the run: {peak_mb() or 0:,.0f} MB")
    for reason, count in Counter(line["refused"] for line in lines.values() if "refused" in line).most_common():
        print(f"  refused: {count} x {reason}")


def slowest(lines: Mapping[str, Line], most: int) -> list[str]:
    return sorted(lines, key=lambda name: -lines[name]["computing"])[:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, required=True, help="a tokenizer's folder, or its tokenizer.json")
    parser.add_argument("--folder", type=Path, default=DATA)
    parser.add_argument("--limit", type=int, help="take this many schemas, evenly spread")
    parser.add_argument("--alone", type=int, default=0, metavar="N", help="the N slowest again, each in a process")
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*/*.json"))
    paths = paths[:: max(1, len(paths) // options.limit)][: options.limit] if options.limit else paths
    schemas = {path.stem: json.loads(path.read_text(encoding="utf-8"))["schema"] for path in paths}
    with tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = folder
        lines = _all(schemas, options.tokenizer)
        report(lines)
        for name in slowest(lines, 20):
            print(f"  {1000 * lines[name]['computing']:8,.0f} ms  {name}")
        for name in slowest(lines, options.alone):
            _alone(name, schemas[name], options.tokenizer)


def _all(schemas: Mapping[str, Any], tokenizer: Path) -> dict[str, Line]:
    from rich.console import Console
    from rich.progress import track

    vocabulary = vocabulary_at(tokenizer)
    print(f"{vocabulary.size:,} tokens, {len(vocabulary.trie.parents):,} trie nodes")
    measured({"type": "integer"}, vocabulary)  # what is made once a process is not counted to the first schema
    named = track(schemas.items(), "schemas", console=Console(stderr=True))
    return {name: measured(schema, vocabulary) for name, schema in named}


def _alone(name: str, schema: Any, tokenizer: Path) -> None:
    with Worker(partial(Alone, tokenizer)) as worker:
        try:
            seconds, before, after = worker.call(schema, SECONDS)
        except LostError as lost:
            print(f"  alone: {name}: {lost}")
            return
    print(f"  alone: {1000 * seconds:,.0f} ms, {after:,.0f} MB at most ({before:,.0f} MB of it the tokenizer)  {name}")


if __name__ == "__main__":
    main()
