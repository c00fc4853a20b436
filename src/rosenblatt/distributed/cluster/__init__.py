"""The connection to a cluster: the client, tasks with their retries, and errors of workers."""
