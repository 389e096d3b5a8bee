"""A JSON Schema as a regular language over the texts of its values."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dgsolve.deadline import Deadline, OutOfTime, within
from dgsolve.errors import SchemaError, UnsupportedSchemaError
from dgsolve.language.acceptor import Acceptor
from dgsolve.language.gc_pause import gc_paused
from dgsolve.language.json_schema.arranging import arranged
from dgsolve.language.json_schema.builder import Builder
from dgsolve.language.json_schema.compiled import Language
from dgsolve.language.json_schema.copying import copied, without
from dgsolve.language.json_schema.dialect import Dialect, dialect_of
from dgsolve.language.json_schema.group import Group, Groups
from dgsolve.language.json_schema.judge import Judge
from dgsolve.language.json_schema.limits import USUAL, Limits
from dgsolve.language.json_schema.reading import Reader
from dgsolve.language.json_schema.references import References
from dgsolve.language.json_schema.report import BESIDE, KeywordUse, keyword_uses
from dgsolve.language.json_schema.schema_faults import refuse_strange
from dgsolve.language.json_schema.unsatisfiable import explained
from dgsolve.language.size_limit import TooLargeError

__all__ = ["JsonLanguage", "KeywordUse", "compile_schema"]


@dataclass(frozen=True)
class JsonLanguage:
    """The texts of the values that fit a schema, in the one spelling (spelling.py), and what is left to the judge.

    schema is a copy of what was given; judged_schema is the same without what `lenient` dropped.
    """

    acceptor: Acceptor
    schema: Any
    judged_schema: Any
    dialect: Dialect
    judge: Judge
    keywords: tuple[KeywordUse, ...]
    warnings: tuple[str, ...]
    group: Group

    @property
    def judged(self) -> bool:
        """Whether any keyword is left to the validator, so that texts of the automaton may still not fit."""
        return any(use.enforced == "validator" for use in self.keywords)

    def arrange(self, value: Any) -> Any:
        """The value with its keys in the order in which they are generated; `spell` gives its text then."""
        return arranged(value, self.group)


@gc_paused()
def compile_schema(
    schema: Any, *, lenient: bool = False, formats: bool = True, limits: Limits = USUAL
) -> JsonLanguage:
    """The language of a schema: a dict or a boolean, drafts 4 to 2020-12; `lenient` drops what it cannot enforce.

    Without `formats` the keyword `format` asks for nothing, as draft 2020-12 has it where nothing else is said.
    Raises SchemaError for a malformed schema, UnsupportedSchemaError for what is neither regular nor can be judged or
    is beyond the limits, UnsatisfiableSchemaError where no value fits.

    >>> compile_schema({"properties": {"a": {"type": "integer"}}}).acceptor.accepts(b'{"a": 1}')
    True
    """
    try:
        with within(Deadline.after(limits.seconds, time.thread_time)):
            refuse_strange(schema)
            return _without_refused(copied(schema), lenient, limits, formats)
    except OutOfTime:
        raise UnsupportedSchemaError(
            f"compiling takes longer than {limits.seconds:g} seconds",
            hint="Simplify the schema, or allow more with Limits(seconds=...).",
        ) from None


def _without_refused(given: Any, lenient: bool, limits: Limits, formats: bool) -> JsonLanguage:
    kept, dropped = given, list[KeywordUse]()
    while True:
        try:
            return _compiled(given, kept, tuple(dropped), limits, formats)
        except UnsupportedSchemaError as error:
            if not lenient or error.keyword is None:
                raise
            dropped.append(KeywordUse(error.pointer, error.keyword, "dropped", error.message))
            kept = without(kept, error.pointer, error.keyword)


def _compiled(
    given: Any, schema: Any, dropped: tuple[KeywordUse, ...], limits: Limits, formats: bool
) -> JsonLanguage:
    dialect = dialect_of(schema)
    judge = Judge(schema, dialect=dialect, formats=formats)
    reader = Reader(References(schema, dialect), formats=formats)
    builder, root, made = _built(reader, limits)
    if made.empty:
        raise _nothing_fits(builder, root)
    keywords = keyword_uses(reader, made.loose, dropped)
    return JsonLanguage(
        made.acceptor, given, schema, dialect, judge, keywords, tuple(_warnings(schema, builder, keywords)), root
    )


def _built(reader: Reader, limits: Limits) -> tuple[Builder, Group, Language]:
    """Where keys of their own for the names of propertyNames take too many states, they are left undeclared."""
    groups = Groups(reader, limits.names)
    root = groups.start("")
    builder = Builder(reader, groups, _exact(limits, reader))
    try:
        return builder, root, _whole(builder, root)
    except UnsupportedSchemaError as error:
        if not (isinstance(error.__cause__, TooLargeError) and groups.names.any):
            raise
    return _built(reader, replace(limits, names=0))


def _exact(limits: Limits, reader: Reader) -> Limits:
    """Without a bound on digits where texts are taken from others, for open values have none and both must agree."""
    nodes = reader.nodes.values()
    kinds = {combination.kind for node in nodes for combination in node.combinations}
    away = kinds & {"oneOf", "not", "if"} or any("contains" in node.rules for node in nodes)
    return replace(limits, digits=None) if away else limits


def _whole(builder: Builder, root: Group) -> Language:
    try:
        return builder.whole(root)
    except TooLargeError as error:
        raise UnsupportedSchemaError(
            f"its automaton would need more than {builder.limits.states:,} states",
            hint="Use fewer optional keys and shorter lists of values, or allow more with Limits(states=...).",
        ) from error
    except RecursionError as error:
        raise UnsupportedSchemaError("its subschemas lie too deep in each other", hint="Nest less deeply.") from error


def _nothing_fits(builder: Builder, root: Group) -> SchemaError:
    if builder.rungs:
        return UnsupportedSchemaError(
            "no value is left within the limits that keep its automaton small enough",
            hint="Simplify the schema, or allow more with Limits(aim=...).",
        )
    return explained(builder, builder.conjunction([""]), builder.start(root))


def _ignored(keywords: tuple[KeywordUse, ...]) -> Iterator[str]:
    """What stands beside a `$ref` where drafts up to 7 read nothing else."""
    beside: dict[str, list[str]] = {}
    for use in keywords:
        if use.enforced == "annotation" and use.note.startswith(BESIDE):
            beside.setdefault(use.pointer, []).append(use.keyword)
    for pointer, words in beside.items():
        place = pointer or "the root"
        yield f"ignored beside $ref at {place}, as drafts up to 7 say: {', '.join(words)}; put the $ref into allOf"


def _warnings(schema: Any, builder: Builder, keywords: tuple[KeywordUse, ...]) -> list[str]:
    named = schema.get("$schema") if isinstance(schema, dict) else None
    dropped = [use for use in keywords if use.enforced == "dropped"]
    said = [f"dropped: {use.keyword} at {use.pointer or 'the root'}: {use.note}" for use in dropped]
    said += _ignored(keywords)
    if named is not None and not dialect_of(schema).named(named):
        said.append(f"$schema {named!r} is no known draft; read as draft {dialect_of(schema).draft}")
    if builder.groups.recursive:
        said.append(f"references that lead back are followed {builder.limits.recursion} times at most")
    if builder.rungs:
        said.append(f"{len(builder.rungs)} places have less depth than usual, to keep the automaton small")
    return said
