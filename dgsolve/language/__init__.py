"""Regular languages over bytes: what a text may be, before any model writes it. Nothing here imports torch."""
