"""Sources of bytes: whole files, streams and standard input, compressed or not."""
