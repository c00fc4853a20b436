"""Compact encoding of a run, so that a page can replay it."""
