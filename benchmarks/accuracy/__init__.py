"""The accuracy of `rosenblatt train` on real tables and texts, against the usual scikit-learn pipelines."""
