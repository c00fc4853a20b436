"""A table that is one JSON object: columns as lists or by row, rows by name, or rows within an answer of a service."""

from collections.abc import Mapping, Sequence
from typing import Any

#: An object of rows by their names has more rows than columns, and than this. Fewer are one row with nested keys.
_MIN_ROWS = 2

#: The largest number of objects around the list of rows, besides the outermost one.
_MAX_ENVELOPES = 2


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
    >>> rows_of_object({"count": 2, "result": {"items": [{"a": 1}, {"a": 2}]}})
    [{'a': 1}, {'a': 2}]
    >>> rows_of_object({"x1": {"a": 1, "b": "x"}, "x2": {"a": 2, "b": "y"}, "x3": {"a": 3}})
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}, {'a': 3}]
    >>> rows_of_object({"a": [1, 2], "b": [{"c": 3}, {"c": 4}]})
    [{'a': 1, 'b': {'c': 3}}, {'a': 2, 'b': {'c': 4}}]
    >>> rows_of_object({"a": {"b": 1}, "c": {"d": [{"e": 1}, {"e": 2}]}})
    [{'a': {'b': 1}, 'c': {'d': [{'e': 1}, {'e': 2}]}}]
    >>> rows_of_object({"a": 1, "b": {"c": 2}})
    [{'a': 1, 'b': {'c': 2}}]
    """
    names, table = found.get("columns", ()), found.get("data", ())
    if _are(str, names) and _are(list, table) and {len(row) for row in table} == {len(names)}:
        return [dict(zip(names, row, strict=True)) for row in table]
    columns = list(found.values())
    if _are(list, columns) and len({len(values) for values in columns}) == 1 and not _are_records(columns):
        return [dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)]
    if _are(dict, columns) and all(map(str.isdigit, columns[0])) and len({tuple(each) for each in columns}) == 1:
        return [{name: values[key] for name, values in found.items()} for key in columns[0]]
    if _are(dict, columns):
        most = max(columns, key=len)
        if len(columns) > max(len(most), _MIN_ROWS) and all(each.keys() <= most.keys() for each in columns):
            return columns
    records = [value for value in columns if _are(dict, value)]
    return (records[0] if len(records) == 1 else _rows_in_envelope(found, _MAX_ENVELOPES)) or [found]


def _are_records(columns: list[Any]) -> bool:
    """Whether there is one list only, and it is a list of rows."""
    return len(columns) == 1 and _are(dict, columns[0])


def _rows_in_envelope(found: Mapping[str, Any], depth: int) -> list[Any]:
    """The list of objects within an object, or within objects in it, beside which there are only single values."""
    parts = [value for value in found.values() if isinstance(value, dict | list)]
    if len(parts) != 1:
        return []
    if isinstance(parts[0], dict):
        return _rows_in_envelope(parts[0], depth - 1) if depth else []
    return parts[0] if _are(dict, parts[0]) else []


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(each, kind) for each in values)
