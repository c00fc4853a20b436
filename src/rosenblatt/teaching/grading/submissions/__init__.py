"""What a student hands in: lists of weights, functions and files, which are called with limits."""
