"""What a command line gave."""

import json
from typing import NamedTuple


class Ran(NamedTuple):
    """The exit code and what went to stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def envelopes(self) -> list[dict]:
        return [json.loads(line) for line in self.lines]
