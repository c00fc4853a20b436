"""Benchmarks: speed as a ratio to another package in the same run. Run `python -m benchmarks`."""
