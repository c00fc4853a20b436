"""The requests for tables: a built-in set, the file given on the command line, or a text; see `run_requests`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from rosenblatt.lab.requests.request_values import RefusedError, flag

MAX_NAME = 80  # characters


@dataclass(frozen=True)
class DataRequest:
    """The table that the lab was started with if `name` is "given", otherwise a built-in data set."""

    name: str

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        name = body.get("name")
        return cls(name if isinstance(name, str) else repr(name))  # a name that no data set has is refused with a list


@dataclass(frozen=True)
class TextRequest:
    """A pasted or uploaded table, and its name in messages."""

    text: str
    name: str

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        text, name = body.get("text"), body.get("name", "pasted text")
        if not isinstance(text, str) or not isinstance(name, str):
            raise RefusedError("text and name must be strings.")
        return cls(text, name[:MAX_NAME])


@dataclass(frozen=True)
class TableRequest:
    """Which columns of a table to show, and whether to scale them to mean 0 and standard deviation 1."""

    columns: tuple[int, int]
    standardize: bool

    @classmethod
    def of(cls, body: Mapping[str, Any], n_columns: int) -> Self:
        columns = body.get("columns", [0, 1])
        if not (
            isinstance(columns, list)
            and len(columns) == 2
            and all(type(c) is int and 0 <= c < n_columns for c in columns)
        ):
            raise RefusedError(f"columns must be two numbers from 0 to {n_columns - 1}.")
        return cls((columns[0], columns[1]), flag(body, "standardize", False))
