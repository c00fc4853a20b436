"""What the estimators share: scores, fits, `partial_fit`, `fit_stream`, `learn_one`."""
