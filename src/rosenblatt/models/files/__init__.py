"""Model files: their content, and how they are written, read and checked."""
