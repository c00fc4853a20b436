"""Scores of rows, and the labels and probabilities that follow from them."""
