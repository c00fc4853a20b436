"""Columns of a table: their values, types and features."""
