"""What stands between values: one optional space after ':' and ',', nowhere else."""

from __future__ import annotations

from dgsolve.language.algebra import concat, literal, optional

COLON = concat(literal(b":"), optional(literal(b" ")))
COMMA = concat(literal(b","), optional(literal(b" ")))
OPEN_BRACE, CLOSE_BRACE = literal(b"{"), literal(b"}")
OPEN_BRACKET, CLOSE_BRACKET = literal(b"["), literal(b"]")
