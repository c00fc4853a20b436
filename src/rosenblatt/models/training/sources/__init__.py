"""The sources of examples: memory, and a file of any size. `distributed/` has the source for a cluster."""
