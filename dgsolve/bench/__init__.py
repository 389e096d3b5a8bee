"""Honest figures over puzzle sets: diffusion alone, every answer checked against the rules, speed beside CP-SAT."""
