"""A choice between names whose errors are one line each."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    Choice = click.Choice[str]
else:
    Choice = click.Choice


class OneOf(Choice):
    """As `click.Choice`; if a required option is missing, the names follow on the same line."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"Choose from: {', '.join(self.choices)}."


class FamilyName(OneOf):
    """A family of models; names of other software get a hint."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.choices:
            from rosenblatt.theory.existence.model.outcomes import check_family

            try:
                check_family(value)
            except ValueError as error:
                self.fail(str(error), param, ctx)
        return super().convert(value, param, ctx)
