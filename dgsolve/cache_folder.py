"""Where dgsolve keeps what it can make again: converted models and compiled schemas."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "DGSOLVE_CACHE"


def cache_folder() -> Path | None:
    """The user's cache folder, which may not exist yet; None where nothing is to be kept.

    DGSOLVE_CACHE where it is set ("off": nowhere); else "dgsolve" in XDG_CACHE_HOME, or in ~/.cache where that is unset
    or relative. Source: XDG Base Directory Specification 0.8, which says to ignore relative paths.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return None if chosen == "off" else Path(chosen).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "dgsolve"
    try:
        return Path.home() / ".cache" / "dgsolve"
    except RuntimeError:  # nobody's home
        return None
