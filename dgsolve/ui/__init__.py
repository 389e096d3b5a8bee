"""What people look at: the live canvas, progress, traces and their replay."""
