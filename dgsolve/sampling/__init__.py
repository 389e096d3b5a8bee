"""How drafts are accepted, re-noised, stopped and started again."""
