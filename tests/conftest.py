"""Settings and helpers that all tests share."""

import hypothesis

# Reproducible in CI and on every machine; times are never asserted.
hypothesis.settings.register_profile("repo", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.load_profile("repo")
