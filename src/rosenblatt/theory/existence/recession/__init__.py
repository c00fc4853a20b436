"""The cone of directions of recession: which rows can be positive on it, and the limits of the coefficients."""
