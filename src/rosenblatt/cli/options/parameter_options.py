"""Options that set parameters of the algorithms: names, help and choices come from `learning.parameters.TABLE`.

Values are only parsed here. The trainer checks them by the table, so a wrong value gives the same message as in Python.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import click

from rosenblatt.cli.options.option_values import Command, Options, chosen
from rosenblatt.cli.options.reading_options import convention_option
from rosenblatt.learning.parameters import TABLE, Parameter

#: The parameters that have their own option; all others are set by --set.
WITH_OPTION = ("max_iter", "max_error", "eta0", "tie", "order", "multi_class", "class_weight", "random_state")
#: The parameters that a command can set: all but those that are for a program.
SETTABLE = tuple(name for name in TABLE if name not in ("callback", "verbose"))


def parse_value(text: str) -> Any:
    """Parses a value on the command line as JSON, or as True, False, None or text.

    >>> parse_value("0.5"), parse_value("None"), parse_value("shuffle")
    (0.5, None, 'shuffle')
    """
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)


def option_name(name: str) -> str:
    """The name of a parameter's option.

    >>> option_name("max_iter")
    '--max-iter'
    """
    return "--" + name.replace("_", "-")


def table_option(name: str, **more: Any) -> Callable[[Command], Command]:
    """The option of a parameter, with the table's help and choices."""
    return click.option(
        option_name(name),
        name,
        type=str,
        metavar=_metavar(TABLE[name]),
        help=TABLE[name].help,
        callback=_parsed,
        **more,
    )


#: The value of an option that was not given; None is a value.
_ABSENT = object()


def _parsed(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Any:
    return _ABSENT if text is None else parse_value(str(text))


def parameter_options(
    settable: Collection[str] = SETTABLE,
    *,
    convention: str | None = None,
    convention_help: str = "A lecture's dialect, or your own.",
) -> Callable[[Command], Command]:
    """Adds --convention, the options of single parameters and --set. `settable` are the parameters of the command."""
    own = [name for name in WITH_OPTION if name in settable and name != "random_state"]
    options = [
        convention_option(convention, convention_help),
        *(table_option(name) for name in own),
        click.option("--no-intercept", is_flag=True, help="Learn no offset w₀."),
        table_option("random_state", default=str(TABLE["random_state"].default), show_default=True),
        click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help=_set_help(settable)),
    ]

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


@dataclass(frozen=True)
class OtherParameters:
    """The parameters that are not set by an option of their name."""

    no_intercept: bool
    settings: tuple[str, ...]


def parameters_from(options: Options, convention: Mapping[str, Any] | None) -> dict[str, Any]:
    """Merges the parameters of a convention, of single options and of --set; later ones win."""
    parameters: dict[str, Any] = dict(convention or {})
    given = {name: options[name] for name in WITH_OPTION if name in options}
    parameters |= {name: value for name, value in given.items() if value is not _ABSENT}
    others = chosen(OtherParameters, options)
    if others.no_intercept:
        parameters["fit_intercept"] = False
    for setting in others.settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{setting!r} is not of the form NAME=VALUE", param_hint="--set")
        parameters[name] = parse_value(text)
    return parameters


def _metavar(parameter: Parameter) -> str:
    choices = "|".join(parameter.kind.choices)
    if choices:
        return f"[{choices}]"
    return "WEIGHTS" if parameter is TABLE["class_weight"] else "NUMBER"


def _set_help(settable: Collection[str]) -> str:
    names = [name for name in settable if name not in WITH_OPTION]
    return f"Set any other parameter (repeatable): {', '.join(names)}."
