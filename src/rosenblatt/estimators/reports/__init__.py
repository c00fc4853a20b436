"""What a fit tells its user: the convergence warning and the report."""
