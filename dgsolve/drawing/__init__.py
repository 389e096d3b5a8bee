"""Grids as people see them: walls, labels and clues, worked out once for terminals and pictures alike."""
