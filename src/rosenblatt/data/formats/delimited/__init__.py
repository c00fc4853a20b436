"""Delimited text (CSV, TSV): the header, the lines and the table in memory."""
