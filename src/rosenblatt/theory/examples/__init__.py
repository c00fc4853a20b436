"""Labelled examples in the form that the proofs use."""
