"""The steps that all tabular formats share: choose the target and the columns, read or scan the rows."""
