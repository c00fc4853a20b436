"""Exercises: data with small whole numbers, a sheet, its key, and their formats."""
