"""JSON for people: one thing a line, and eight numbers a line in long lists, so that a diff shows what changed."""

import json
from typing import Any

_PER_LINE = 8


def dumps(value: Any, indent: str = "") -> str:
    """The document as text.

    >>> print(dumps({"a": [1, 2], "b": {"c": None}}))
    {
      "a": [1, 2],
      "b": {
        "c": null
      }
    }
    """
    inner = indent + "  "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {dumps(v, inner)}" for key, v in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        if any(isinstance(entry, list | dict) for entry in value):
            return "[\n" + ",\n".join(inner + dumps(entry, inner) for entry in value) + f"\n{indent}]"
        texts = [_scalar(entry) for entry in value]
        if len(texts) <= _PER_LINE:
            return "[" + ", ".join(texts) + "]"
        lines = [inner + ", ".join(texts[k : k + _PER_LINE]) for k in range(0, len(texts), _PER_LINE)]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
