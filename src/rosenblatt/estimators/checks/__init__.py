"""Checks of parameters and data before a fit, and their conversion to the core's form."""
