"""What is kept exactly on a canvas."""
