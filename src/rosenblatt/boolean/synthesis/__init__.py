"""Networks of threshold units that compute a given function."""
