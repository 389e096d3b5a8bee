"""How much memory the process has used at most."""

from __future__ import annotations

import sys


def peak_mb() -> float | None:
    """The largest resident size so far in MB (10**6 bytes); None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e6  # bytes there, KiB elsewhere
