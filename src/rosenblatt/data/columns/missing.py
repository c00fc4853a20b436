"""The words that stand for a missing value."""

#: A field of a table with one of these texts has no value.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?")
