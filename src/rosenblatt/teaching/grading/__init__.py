"""Grading: compares a submission with the textbook run, and finds the fault that explains the difference."""
