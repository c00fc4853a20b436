"""The connection to a cluster: tasks with their retries, and errors of workers."""
