"""Loops with one fault each, and the search for the fault that explains a wrong path."""
