"""`rosenblatt exists`: decides whether finite maximum likelihood estimates exist, with a certificate."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import click

from rosenblatt.cli.options.one_of import FamilyName
from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.reading_options import json_option, read_options_from, source_argument, table_options
from rosenblatt.default_budgets import DEFAULT_BUDGETS

Family = Literal["binomial", "multinomial", "ordinal", "poisson", "log-binomial"]


@dataclass(frozen=True)
class ExistsOptions:
    """The options of `exists`, except those for reading."""

    family: Family
    failures: str | None
    order: str | None
    effects: tuple[str, ...]
    weights: str | None
    offset: str | None
    no_intercept: bool
    budget: float
    strict: bool
    as_json: bool


@click.command()
@source_argument
@table_options
@click.option("--family", type=FamilyName(get_args(Family)), required=True, help="The family of the model.")
@click.option("--failures", metavar="COLUMN", help="Grouped binomial data: the target counts successes, this failures.")
@click.option("--order", metavar="A,B,…", help="Ordinal data: the outcomes from the lowest to the highest.")
@click.option(
    "--fixed-effect", "effects", metavar="COLUMN", multiple=True, help="A fixed effect of many levels (repeatable)."
)
@click.option("--weights", metavar="COLUMN", help="The column of weights; rows of weight zero are left out.")
@click.option("--offset", metavar="COLUMN", help="The column of offsets.")
@click.option("--no-intercept", is_flag=True, help="The model has no intercept.")
@click.option(
    "--budget",
    type=click.FloatRange(min=1),
    default=DEFAULT_BUDGETS["existence"],
    show_default=f"{DEFAULT_BUDGETS['existence']:g}",
    help="Limit on the values read (10⁹ take about a second); beyond it, the answer is 'undecided'. inf: no limit.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 unless finite estimates exist.")
@json_option
def exists(source: str, **given: object) -> None:
    """Decide whether finite maximum likelihood estimates exist; if not, which coefficients are infinite and which rows
    are the cause: with a proof, checked exactly.

    All columns but the target and those named by other options are regressors; texts become dummies.

    \b
    Examples:
      rosenblatt exists @xor --family binomial
      rosenblatt exists trials.csv --target cured --family binomial
      rosenblatt exists trials.csv --target pain --family ordinal --order none,mild,severe
      rosenblatt exists trade.csv --target flow --family poisson --fixed-effect exporter --fixed-effect importer
    """
    read_options, options = read_options_from(given), chosen(ExistsOptions, given)

    from rosenblatt.cli.output.printing import echo, note, print_json
    from rosenblatt.data import DataError
    from rosenblatt.data.raw_columns import read_columns
    from rosenblatt.theory import existence

    loaded = read_columns(source, read_options)
    table, names = loaded.columns, loaded.columns.column_names
    roles = {
        "--failures": options.failures,
        "--weights": options.weights,
        "--offset": options.offset,
        **{f"--fixed-effect {k}": effect for k, effect in enumerate(options.effects)},
    }
    for role, column in roles.items():
        if column is not None and column not in names:
            raise DataError(f"{loaded.name} has no column {column!r} ({role.split()[0]}). It has: {', '.join(names)}.")
    if options.order is not None and options.family != "ordinal":
        raise click.UsageError(f"--order is for --family ordinal; the family is {options.family}.")
    taken = {loaded.target, *roles.values()}
    regressors = [name for name in names if name not in taken]
    response = [loaded.target] if options.failures is None else [loaded.target, options.failures]

    def values(name: str | None) -> Any:
        return None if name is None else table.column(name).to_numpy()

    try:
        found = existence(
            table.select(regressors) if regressors else None,
            table.select(response) if len(response) > 1 else _response(values(loaded.target), options.order),
            family=options.family,
            fit_intercept=not options.no_intercept,
            weights=values(options.weights),
            offset=values(options.offset),
            fixed_effects=table.select(list(options.effects)) if options.effects else None,
            budget=options.budget,
        )
    except ValueError as error:
        raise DataError(f"{loaded.name}: {error}") from error
    if options.as_json:
        print_json({"source": loaded.name, "verified": found.exists is not None, **found.to_dict()})
    else:
        note(*loaded.notes)
        echo(found.explain())
        if found.exists is not None:
            echo("certificate checked in exact arithmetic: it holds")
    if options.strict and not found.exists:
        raise click.exceptions.Exit(3)


def _response(values: Any, order: str | None) -> Any:
    """The labels; with an order, as categories in this order."""
    labels = _labels(values)
    if order is None:
        return labels
    import pyarrow as pa

    levels = [level.strip() for level in order.split(",")]
    place = {level: k for k, level in enumerate(levels)}
    unknown = next((str(label) for label in labels.tolist() if str(label) not in place), None)
    if unknown is not None:
        raise ValueError(f"the outcome {unknown!r} is not in --order {order}. List every outcome, lowest first.")
    codes = pa.array([place[str(label)] for label in labels.tolist()], type=pa.int32())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, pa.array(levels))])


def _labels(values: Any) -> Any:
    """Converts integral floats to integers, so that classes are named 1 and not 1.0."""
    import numpy as np

    if values.dtype.kind == "f" and np.all(np.isfinite(values)) and np.all(values == np.rint(values)):
        return values.astype(np.int64)
    return values
