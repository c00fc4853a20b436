"""The dual perceptron: kernels, Gram matrices, budgets and votes."""
