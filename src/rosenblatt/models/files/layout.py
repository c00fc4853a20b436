"""Readable JSON: one entry per line, and eight numbers per line in long lists, so that diffs are small."""

import json
import os
import re
import string
from collections.abc import Callable, Iterator
from typing import Any

_PER_LINE = 8
_LONG = 10_000  # characters
_BASE64 = (string.ascii_letters + string.digits + "+/=").encode()


def parts(document: Any, dump: Callable[[Any], str]) -> Iterator[bytes]:
    """The bytes of `dump(document)`. Long base64 is inserted without scanning, since it needs no escapes.

    The base64 values of the document are bytes, or text that may have any content.

    >>> b"".join(parts({"base64": b"QUJD" * 5000}, json.dumps)) == json.dumps({"base64": "QUJD" * 5000}).encode()
    True
    """
    token, long = os.urandom(16).hex(), list[bytes]()

    def with_tokens(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: token_of(v) if key == "base64" else with_tokens(v) for key, v in value.items()}
        return [with_tokens(entry) for entry in value] if isinstance(value, list) and _has_dicts(value) else value

    def token_of(value: Any) -> Any:
        if isinstance(value, str) and len(value) > _LONG and value.isascii():
            found = value.encode("ascii")
            value = value if found.translate(None, _BASE64) else found
        if not isinstance(value, bytes):
            return with_tokens(value)
        long.append(value)
        return f"{token}{len(long) - 1:06d}"

    for k, piece in enumerate(re.split(token + r"(\d{6})", dump(with_tokens(document)))):
        yield long[int(piece)] if k % 2 else piece.encode()


def _has_dicts(values: list[Any]) -> bool:
    return any(isinstance(entry, list | dict) for entry in values)


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
        if _has_dicts(value):
            return "[\n" + ",\n".join(inner + dumps(entry, inner) for entry in value) + f"\n{indent}]"
        texts = [_scalar(entry) for entry in value]
        if len(texts) <= _PER_LINE:
            return "[" + ", ".join(texts) + "]"
        lines = [inner + ", ".join(texts[k : k + _PER_LINE]) for k in range(0, len(texts), _PER_LINE)]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
