"""Output of commands: reports, figures, files and error messages."""
