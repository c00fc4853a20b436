"""Texts about a finished fit: the convergence warning and the report."""
