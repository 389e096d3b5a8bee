"""Models that propose a value for every slot at once, one family a file."""
