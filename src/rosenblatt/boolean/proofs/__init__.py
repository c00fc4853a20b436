"""Certificates about Boolean functions, and the checks that verify them."""
