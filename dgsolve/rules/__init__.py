"""Kinds of constraint, one a file: how each judges, narrows, is posted to CP-SAT, and is written in files."""

from dgsolve.rules.base import Candidate, Domains, Groups, Rule, Words
from dgsolve.rules.registry import rule_kinds

__all__ = ["Candidate", "Domains", "Groups", "Rule", "Words", "rule_kinds"]
