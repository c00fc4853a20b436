"""Animations for slides: the line turning, and the update as vector addition."""
