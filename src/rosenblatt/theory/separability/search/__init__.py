"""Searches for a separator or a witness: by the point of least norm, by logistic regression, by linear programs."""
