"""The choice of the algorithm and of its settings on the training examples."""
