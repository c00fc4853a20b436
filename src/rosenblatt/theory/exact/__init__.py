"""Exact arithmetic: linear algebra in integers, and the point of least norm in rational numbers."""
