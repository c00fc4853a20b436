"""The topics of exercises, and the random numbers of a sheet."""
