"""The values of a command's options: click passes them by name, and dataclasses give them types."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: The values of options by name, as click passes them.
Options = Mapping[str, object]

#: A function that click turns into a command.
Command = TypeVar("Command", bound=Callable[..., Any])

Chosen = TypeVar("Chosen", bound="DataclassInstance")


def chosen(kind: type[Chosen], given: Options) -> Chosen:
    """The options that are fields of a dataclass. click has checked their types."""
    values: dict[str, Any] = {field.name: given[field.name] for field in fields(kind) if field.name in given}
    return kind(**values)
