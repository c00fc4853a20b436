"""The sheets in other languages."""
