"""Training-only tools: puzzle generation and model training."""
