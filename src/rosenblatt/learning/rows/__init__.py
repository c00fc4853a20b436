"""Rows of examples: the types of arrays and matrices, and a cache on disk."""
