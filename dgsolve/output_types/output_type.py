"""What a caller asks for as output, as a JSON Schema on the one side and as Python values on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dgsolve.errors import Attempt, OutputFault, OutputValidationError
from dgsolve.language import json_text
from dgsolve.output_types.misuse import refuse_misuse
from dgsolve.output_types.plain_texts import Choice, Regex

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class OutputType:
    """A type, or a JSON Schema, that outputs have: `name` for people, `schema` with keys in declared order.

    `schema` is None for Regex and Choice, whose texts are no JSON.
    """

    name: str
    schema: dict[str, Any] | bool | None
    _adapter: TypeAdapter[Any] | None = None

    @classmethod
    def of(cls, output_type: Any) -> OutputType:
        """The output type that a caller gave, in any form that `generate` takes.

        Raises SchemaError for what is no type, or is one that JSON cannot write.

        >>> OutputType.of(list[int]).parse("[1, 2]")
        [1, 2]
        """
        if isinstance(output_type, cls):
            return output_type
        if isinstance(output_type, (Regex, Choice)):
            return cls(type(output_type).__name__, None)
        if isinstance(output_type, bool):
            return cls("JSON", output_type)
        refuse_misuse(output_type)
        if isinstance(output_type, dict):
            title = output_type.get("title")
            return cls(title if isinstance(title, str) else "JSON", output_type)
        from dgsolve.output_types.typed import described

        return cls(*described(output_type))

    def parse(self, text: str) -> Any:
        """The output that a text is: an object of the type, for a JSON Schema plain Python values.

        Raises JsonTextError where the text is no JSON, OutputValidationError where the type's own validators fault it.
        """
        if self.schema is None:
            return text
        if self._adapter is None:
            json_text.parse(text)
            return json_text.plain(text)
        found = self.faults(text)
        if found:
            raise OutputValidationError(f"{self.name}: {found[0]}", attempts=(Attempt(text, found),))
        from dgsolve.output_types.typed import validated

        return validated(self._adapter, text)

    @property
    def has_validators(self) -> bool:
        """Whether the type's own code judges a value too, which no schema shows."""
        if self._adapter is None:
            return False
        from dgsolve.output_types.typed import has_validators

        return has_validators(self._adapter)

    def faults(self, text: str) -> tuple[OutputFault, ...]:
        """What the type's own validators find wrong with a text; not what its schema says.

        Raises JsonTextError where the text is no JSON.
        """
        if self._adapter is None:
            return ()
        from dgsolve.output_types.typed import faults

        return faults(self._adapter, text)
