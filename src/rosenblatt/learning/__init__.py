"""Training in Python, without scikit-learn: parameters, examples, problems, fit, status, prediction, row cache."""
