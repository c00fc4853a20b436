"""The engine in Python, without scikit-learn: parameters, examples, problems, fit, endings, prediction, streams."""
