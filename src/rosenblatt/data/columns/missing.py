"""The words that stand for a missing value."""

#: A field of a table with one of these texts has no value: those of pandas, and the question mark.
MISSING = (
    "", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "?",
)  # fmt: skip
