"""The examples of a worker: how they are read, the pass over them, and their scores."""
