"""The trainer, its sources of examples, and the assessment of models."""
