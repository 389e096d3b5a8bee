"""Fused operations, one a file: the formula, a plain torch reference, a dispatcher, and the Triton kernel."""
