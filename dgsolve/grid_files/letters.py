"""Maps of regions as grid files have them: lines of letters, one a cell."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

_PLAIN = string.ascii_uppercase + string.ascii_lowercase + string.digits
SIGNS = _PLAIN + "".join(sign for sign in map(chr, range(0xC0, 0x250)) if sign.isalpha())


def letter_lines(regions: Sequence[Any], width: int) -> list[str]:
    """One letter for each region in order of first cells, whatever named it; at most as many as there are SIGNS."""
    known = {region: number for number, region in enumerate(dict.fromkeys(regions))}
    text = "".join(SIGNS[known[region]] for region in regions)
    return [text[start : start + width] for start in range(0, len(text), width)]
