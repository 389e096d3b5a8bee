"""What people call the parts of a puzzle in tables and JSON."""

PUZZLE_NAMES = frozenset(
    (
        "puzzle",
        "quiz",
        "quizzes",
        "question",
        "sudoku",
        "grid",
        "board",
        "givens",
        "clues",
        "problem",
        "unsolved",
        "value",
    )
)
SOLUTION_NAMES = frozenset(("solution", "solutions", "answer", "answers", "solved", "ground"))
RATING_NAMES = frozenset(("rating", "difficulty", "level", "score", "se", "er"))
NAME_NAMES = frozenset(("name", "id", "title", "source"))
MANY_NAMES = frozenset(("puzzles", "sudokus", "games", "grids", "boards", "data", "items", "newboard", "examples"))
