"""The workloads, one module each with `measure(run)`."""
