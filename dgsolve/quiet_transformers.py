"""Transformers' own log lines, warnings and progress bars, kept away from people who did not ask for them."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

LIBRARIES = ("transformers", "huggingface_hub", "accelerate", "gguf")


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """While open, nothing of Transformers and its helpers is printed; what they raise comes through."""
    from transformers.utils import logging as settings

    loggers = [logging.getLogger(name) for name in LIBRARIES]
    levels, bars = [logger.level for logger in loggers], settings.is_progress_bar_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        settings.disable_progress_bar()
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
            if bars:
                settings.enable_progress_bar()
