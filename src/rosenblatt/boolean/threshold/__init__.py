"""Threshold functions: recognition, smallest weights, counting."""
