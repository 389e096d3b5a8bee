"""What a caller asks for as output: Python types, JSON Schemas and plain texts, with their schemas and own checks."""

from dgsolve.output_types.loading import load_type
from dgsolve.output_types.output_type import OutputType
from dgsolve.output_types.plain_texts import Choice, Regex

__all__ = ["Choice", "OutputType", "Regex", "load_type"]
