"""Exit codes of errors, and Ctrl-C while the command starts."""

import subprocess
import sys

import pytest

from dgsolve.cli.exits import Exit, of_error
from dgsolve.errors import IncompleteOutputError


@pytest.mark.parametrize(("late", "code"), [(True, Exit.OUT_OF_TIME), (False, Exit.NO_ANSWER)])
def test_out_of_time_has_an_exit_code_of_its_own(late, code):
    assert of_error(IncompleteOutputError("not complete", text="", usage={}, timed_out=late)) is code


def test_little_is_imported_before_ctrl_c_is_seen_to():
    code = "import sys; sys.modules.pop('typing', None); import dgsolve.cli; print('typing' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
