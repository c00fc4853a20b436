"""Makes a problem smaller before the search: equal rows, columns that separate on their own, constant columns."""
