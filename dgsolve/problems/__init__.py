"""Problems with rules, one kind a file."""
