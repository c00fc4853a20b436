"""A table that is one JSON object: lists of columns, columns by row, or rows within an answer of a service."""

from collections.abc import Mapping, Sequence
from typing import Any


def rows_of_object(found: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The rows of a file with one object. These are the layouts that pandas and web services write; else it is a row.

    >>> rows_of_object({"a": [1, 2], "b": ["x", "y"]})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]
    >>> rows_of_object({"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]
    >>> rows_of_object({"columns": ["a", "b"], "index": [0, 1], "data": [[1, "x"], [2, "y"]]})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]
    >>> rows_of_object({"count": 2, "data": [{"a": 1}, {"a": 2}]})
    [{'a': 1}, {'a': 2}]
    >>> rows_of_object({"a": 1, "b": {"c": 2}})
    [{'a': 1, 'b': {'c': 2}}]
    """
    names, table = found.get("columns", ()), found.get("data", ())
    if _are(str, names) and _are(list, table) and {len(row) for row in table} == {len(names)}:
        return [dict(zip(names, row, strict=True)) for row in table]
    records = [value for value in found.values() if _are(dict, value)]
    if len(records) == 1:
        return list(records[0])
    columns = list(found.values())
    if _are(list, columns) and len({len(values) for values in columns}) == 1:
        return [dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)]
    if _are(dict, columns) and all(map(str.isdigit, columns[0])) and len({tuple(each) for each in columns}) == 1:
        return [{name: values[key] for name, values in found.items()} for key in columns[0]]
    return [found]


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(each, kind) for each in values)
