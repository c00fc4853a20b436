"""Traces and the vectors of the voted perceptron, made from the recorded updates of a run."""
