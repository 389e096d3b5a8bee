"""The judge of instances: whether a value fits a JSON Schema, and what is wrong where it does not.

jsonschema-rs does the judging: `benchmarks/judges.py` finds no case of the official suite that it gets wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dgsolve.errors import SchemaError, UsageError
from dgsolve.language.json_schema.copying import with_exact_numbers
from dgsolve.language.json_schema.dialect import Dialect, dialect_of
from dgsolve.language.json_schema.fault_words import place, short_json, words
from dgsolve.language.json_schema.judged_patterns import JudgedPatterns
from dgsolve.language.json_schema.schema_faults import refuse_strange, schema_error
from dgsolve.language.json_schema.spelling import MAX_DEPTH, exact
from dgsolve.language.json_text import json_pointer

if TYPE_CHECKING:
    import jsonschema_rs

Path = tuple[str | int, ...]

_NESTED = (dict, list, tuple)
_VALIDATORS = {
    4: "Draft4Validator",
    6: "Draft6Validator",
    7: "Draft7Validator",
    2019: "Draft201909Validator",
    2020: "Draft202012Validator",
}


@dataclass(frozen=True)
class Fault:
    """What is wrong at one place: `pointer` into the value, `schema_pointer` to the keyword, `message` for people."""

    pointer: str
    keyword: str
    message: str
    schema_pointer: str


class Judge:
    """Judges values by one schema; built once, used often, never changes the schema or a value.

    Without `dialect` the draft is that of `dialect_of`; without `formats`, formats are annotations. `remotes`
    are schemas by URI that a `$ref` may name: nothing is fetched. Raises SchemaError for a malformed schema,
    UnsupportedSchemaError for a `$ref` to what is not there and for a `pattern` that is no regular language.

    >>> Judge({"multipleOf": 0.1}).accepts(0.3)
    True
    >>> Judge({"properties": {"age": {"maximum": 120}}}).faults({"age": 150})[0].message
    '/age must be at most 120, not 150'
    """

    def __init__(
        self,
        schema: Any,
        *,
        dialect: Dialect | None = None,
        remotes: Mapping[str, Any] | None = None,
        formats: bool = True,
    ) -> None:
        refuse_strange(schema)
        self._made_of = (schema, dialect, remotes, formats)
        self._patterns = JudgedPatterns()
        options = {"keywords": {"pattern": self._patterns}, "validate_formats": formats, "offline": True}
        self._validator = _validator(schema, dialect or dialect_of(schema), remotes or {}, options)

    def __reduce__(self) -> tuple[Any, ...]:
        """The validator of jsonschema-rs is built anew where a judge is unpickled or copied."""
        return _judge, self._made_of

    def accepts(self, value: Any) -> bool:
        """Whether the value fits; takes what `json_text.parse` and `json.loads` make, UsageError for anything else."""
        _check_depth(value)
        self._patterns.failed.clear()
        try:
            return bool(self._validator.is_valid(value)) and not self._patterns.failed
        except ValueError as error:
            raise UsageError(f"not a JSON value: {error}", hint="Give str, int, float, Decimal, list, dict.") from error

    def faults(self, value: Any) -> tuple[Fault, ...]:
        """Everything that is wrong, in the order in which the schema finds it; nothing where the value fits."""
        if self.accepts(value):
            return ()
        if self._patterns.failed:
            message = f"could not be checked: the pattern {short_json(self._patterns.failed[0])} takes too much work"
            return (Fault("", "pattern", f"{place(())} {message}", ""),)
        found = (fault for error in self._validator.iter_errors(value) for fault in _faults(error, value))
        return tuple(dict.fromkeys(found))


def _judge(schema: Any, dialect: Dialect | None, remotes: Mapping[str, Any] | None, formats: bool) -> Judge:
    return Judge(schema, dialect=dialect, remotes=remotes, formats=formats)


def _validator(
    schema: Any, dialect: Dialect, remotes: Mapping[str, Any], options: Mapping[str, Any]
) -> jsonschema_rs.Validator:
    import jsonschema_rs as library

    named = schema.get("$schema") if isinstance(schema, dict) else None
    own_metaschema = isinstance(named, str) and named in remotes
    build = library.validator_for if own_metaschema else getattr(library, _VALIDATORS[dialect.draft])
    try:
        registry = library.Registry(remotes.items()) if remotes else None
        return build(with_exact_numbers(schema), registry=registry, **options)
    except (library.ValidationError, library.ReferencingError) as error:
        raise schema_error(error, schema) from error
    except ValueError as error:  # of schemas nested beyond the library's limit of 254, integers beyond 4,300 digits
        hint = "Write shorter numbers." if "integer" in str(error) else "Nest less deeply."
        raise SchemaError(f"the schema cannot be read: {error}", hint=hint) from error


def _check_depth(value: Any) -> None:
    """Refuse what is so deep that the library would run out of stack, which ends the whole process."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = [part.values() if isinstance(part, dict) else part for part in level if isinstance(part, _NESTED)]
        if not inner:
            return
        level = [part for parts in inner for part in parts]
    raise UsageError(f"a value of more than {MAX_DEPTH} arrays and objects in each other is too deep")


def _faults(error: jsonschema_rs.ValidationError, value: Any) -> Iterator[Fault]:
    """One error as faults, each as deep in the value as the error allows."""
    path, schema_path = tuple(error.instance_path), error.schema_path
    kind, said = error.kind.name, words(error)
    keyword = {"falseSchema": "false", "propertyNames": kind}.get(kind, str((schema_path or [kind])[-1]))
    inner: Iterable[str | int | None] = (None,)
    if kind in ("additionalProperties", "unevaluatedProperties"):
        inner = error.kind.value
    elif kind == "propertyNames":
        inner = (error.kind.value.instance,)
    elif kind == "uniqueItems":
        inner = _repeated(_at(value, path))
    elif kind == "falseSchema" and _of_every_key(schema_path):
        inner, keyword, said = _at(value, path), str(schema_path[-1]), "is a key that the schema does not allow"
    for step in inner:
        whole = path if step is None else (*path, step)
        yield Fault(json_pointer(whole), keyword, f"{place(whole)} {said}", json_pointer(schema_path))


def _of_every_key(schema_path: Sequence[str | int]) -> bool:
    """Whether a false schema is that of `additionalProperties` or `propertyNames`, which means every key."""
    return schema_path[-1:] in (["additionalProperties"], ["propertyNames"]) and schema_path[-2:-1] != ["properties"]


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _repeated(items: list[Any]) -> Iterator[int]:
    """The place of each item that equals one before it."""
    seen: set[Any] = set()
    for index, item in enumerate(items):
        identity = _identity(item)
        if identity in seen:
            yield index
        seen.add(identity)


def _identity(value: Any) -> Any:
    """Equal for equal JSON values alone: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, dict):
        return frozenset(zip(value, map(_identity, value.values()), strict=True))
    if isinstance(value, (list, tuple)):
        return tuple(map(_identity, value))
    return isinstance(value, bool), exact(value) if isinstance(value, float) else value
