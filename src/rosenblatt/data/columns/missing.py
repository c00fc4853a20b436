"""The words that stand for a missing value."""

#: A field of a table with one of these texts has no value: those of pandas, the question mark, and \\N of databases.
MISSING = (
    "", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "?",
    "\\N",
)  # fmt: skip
