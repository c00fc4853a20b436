"""The engine in Python, without scikit-learn: parameters, examples, problems, the fit, its ending, prediction, streams."""
