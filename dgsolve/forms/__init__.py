"""What an output must be, compiled once: a language that keeps texts in form, and judges for the rest."""

from dgsolve.forms.base import Form, TextFault
from dgsolve.forms.compiling import compile_form

__all__ = ["Form", "TextFault", "compile_form"]
