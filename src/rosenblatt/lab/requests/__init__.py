"""The requests of a page, as typed objects that are validated when they are built."""
