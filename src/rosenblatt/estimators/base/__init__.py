"""Base classes of the estimators: scores, fits, `partial_fit`, `fit_stream`, `learn_one`."""
