"""Loops as students write them, faulty and right."""
