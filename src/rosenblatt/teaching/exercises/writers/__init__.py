"""A sheet and its key as LaTeX, Markdown, Moodle questions and notebooks."""
