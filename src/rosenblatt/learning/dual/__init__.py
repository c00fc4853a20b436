"""The dual perceptron: kernels, Gram matrices, support-vector budgets and voting."""
