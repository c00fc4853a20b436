"""The response y, checked for its family: which outcomes each observation has."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Number, Real
from typing import Any, Literal, get_args

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.check_features import unrounded
from rosenblatt.theory.examples.classes import is_missing
from rosenblatt.theory.existence.model.design import as_series, coded, is_frame

Family = Literal["binomial", "multinomial", "ordinal", "poisson", "log-binomial"]
FAMILIES: tuple[Family, ...] = get_args(Family)

# What other software calls the families, in lower case and with hyphens.
_OTHER_NAMES: dict[Family, tuple[str, ...]] = {
    "binomial": ("binomial", "logit", "probit", "logistic", "cloglog", "bernoulli", "binary"),
    "multinomial": ("multinomial", "mnlogit", "mlogit", "softmax", "nominal", "categorical"),
    "ordinal": ("ordinal", "ologit", "oprobit", "polr", "cumulative", "proportional-odds"),
    "poisson": ("poisson", "count", "counts", "ppml", "quasipoisson"),
    "log-binomial": ("log-binomial", "logbinomial", "relative-risk"),
}
_MANY = 20  # up to this many classes are always accepted


@dataclass(frozen=True)
class Outcomes:
    """`present[i, k]`: observation i has at least one outcome k. `classes` are the outcomes in order.

    Binomial and log-binomial: failure, success. Poisson: zero, positive (one of the two).
    """

    present: NDArray[np.bool_]
    classes: list[Any]


def check_family(family: str) -> Family:
    for known in FAMILIES:
        if family == known:
            return known
    name = str(family).lower().replace("_", "-")
    hint = "".join(f" {family} is the family {known!r} here." for known in FAMILIES if name in _OTHER_NAMES[known])
    raise ValueError(f"family is {family!r}; it must be one of {', '.join(FAMILIES)}.{hint}")


def outcomes_of(y: Any, family: Family) -> Outcomes:
    """The outcomes of every observation, including those with weight zero."""
    declared = None
    y = as_series(y)
    if is_frame(y) and len((frame := nw.from_native(y, eager_only=True)).columns) == 1:
        y = frame[frame.columns[0]].to_native()
    if nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        declared = series.cat.get_categories().to_list() if isinstance(series.dtype, nw.Categorical | nw.Enum) else None
        values, names = np.asarray(series.to_list() if declared else series.to_numpy()), None
    elif is_frame(y):
        frame = nw.from_native(y, eager_only=True)
        values, names = frame.to_numpy(), [str(name) for name in frame.columns]
    else:
        values, names = unrounded(y, "y"), None
    if values.ndim == 2 and values.shape[1] > 1:
        return _counts(values, names, family)
    if isinstance(y, str):
        raise ValueError(
            f"y is the text {y!r}; it must be the values themselves. Give y=data[{y!r}], and X without that column; or "
            "name columns in a formula: theory.existence.formula."
        )
    if values.ndim not in (1, 2) or not len(values):
        raise ValueError(
            f"y has shape {values.shape}; it must have one value an observation, or one column an outcome."
        )
    values = values.reshape(-1)
    if family == "poisson":
        return _poisson(values)
    if family in ("binomial", "log-binomial"):
        return _binomial(values, declared)
    return _classes(values, declared, family)


def _numbers(values: NDArray[Any], what: str) -> NDArray[Any]:
    """Floats, or Fractions for an array of objects, so that no value is rounded to 0 or 1."""
    if values.dtype.kind == "O":
        return _fractions(values, what)
    if values.dtype.kind == "c":
        raise ValueError(f"y holds {values.dtype}; {what}.")
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y holds {values.dtype}; {what}.") from error
    finite = np.isfinite(numbers).reshape(len(numbers), -1).all(axis=1)
    if not finite.all():
        raise ValueError(f"y has no finite value in row {int(np.argmin(finite))}. Drop the row or fill the gap.")
    return numbers


def _fractions(values: NDArray[Any], what: str) -> NDArray[Any]:
    found = np.empty(values.shape, dtype=object)
    for place in np.ndindex(values.shape):
        value: Any = values[place]
        if is_missing(value) or value in (float("inf"), float("-inf")):
            raise ValueError(f"y has no finite value in row {place[0]}. Drop the row or fill the gap.")
        exact = value.item() if isinstance(value, np.generic) else value
        if not isinstance(exact, Real | Decimal):
            raise ValueError(f"y holds {value!r} in row {place[0]}; {what}.")
        number: Any = exact  # a long double is a Real too, and Fraction takes its ratio
        found[place] = Fraction(number)
    return found


def _poisson(values: NDArray[Any]) -> Outcomes:
    numbers = _numbers(values, "a Poisson response is a count")
    if np.any(numbers < 0):
        row = int(np.argmax(numbers < 0))
        raise ValueError(f"y[{row}] is {values[row]}; a Poisson response is a count, never negative. Check the column.")
    return Outcomes(np.column_stack([numbers == 0, numbers > 0]), ["zero", "positive"])


def _binomial(values: NDArray[Any], declared: list[Any] | None) -> Outcomes:
    if declared is None and _has_numbers(values):
        numbers = _numbers(values, "a binomial response is 0 or 1")
        outside = (numbers < 0) | (numbers > 1)
        if not outside.any():
            return Outcomes(np.column_stack([numbers < 1, numbers > 0]), [0, 1])
        if len(np.unique(numbers)) > 2:
            row = int(np.argmax(outside))
            raise ValueError(
                f"y[{row}] is {values[row]}; a binomial response is 0 or 1, a share between them, one of two labels, "
                "or two columns of successes and failures."
            )
    levels, codes = coded(values, "y", declared)
    if len(levels) > 2 >= len(set(codes.tolist())):
        raise ValueError(_never_seen(next(level for k, level in enumerate(levels) if k not in codes)))
    if len(levels) != 2:
        many = f"{', '.join(map(repr, levels[:5]))}{', …' if len(levels) > 5 else ''}"
        remedy = "Use family='multinomial' or 'ordinal'." if len(levels) > 2 else "Code the response as 0 and 1."
        noun = "class" if len(levels) == 1 else "classes"
        raise ValueError(f"y has {len(levels)} {noun} ({many}); a binomial response has 2. {remedy}")
    return Outcomes(codes[:, None] == np.arange(2), levels)


def _has_numbers(values: NDArray[Any]) -> bool:
    """Whether the response is numeric; gaps do not matter. Complex numbers are refused later, as numbers."""
    if values.dtype.kind != "O":
        return values.dtype.kind in "biufc"
    return all(isinstance(value, Number) for value in values.tolist() if not is_missing(value))


def _classes(values: NDArray[Any], declared: list[Any] | None, family: Family) -> Outcomes:
    levels, codes = coded(values, "y", declared)
    counts = np.bincount(codes, minlength=len(levels))
    if len(levels) < 2:
        article = "an" if family == "ordinal" else "a"
        raise ValueError(
            f"y has 1 class ({levels[0]!r}); {article} {family} response has at least 2. Check the column."
        )
    if not counts.all():
        raise ValueError(_never_seen(levels[int(np.argmin(counts > 0))]))
    if len(levels) > max(_MANY, len(codes) // 2):
        raise ValueError(
            f"y has {len(levels)} classes in {len(codes)} observations: it looks like a number or an identifier. Use "
            "another column, or family='poisson' for counts."
        )
    return Outcomes(codes[:, None] == np.arange(len(levels)), levels)


def _counts(table: NDArray[Any], names: list[str] | None, family: Family) -> Outcomes:
    """Grouped data: one column per outcome, with the number of times it occurred."""
    if family == "poisson":
        raise ValueError(f"y has {table.shape[1]} columns; a Poisson response is one column of counts.")
    numbers = _numbers(table, "columns of counts are needed")
    if np.any(numbers < 0):
        row, column = np.argwhere(numbers < 0)[0]
        raise ValueError(f"y[{row}, {column}] is {table[row, column]}; counts are never negative.")
    present = numbers > 0
    if family in ("binomial", "log-binomial"):
        if table.shape[1] != 2:
            raise ValueError(f"y has {table.shape[1]} columns; grouped binomial counts are successes and failures.")
        return Outcomes(present[:, ::-1], [0, 1])
    levels: list[Any] = names or list(range(table.shape[1]))
    if not present.any(axis=0).all():
        raise ValueError(_never_seen(levels[int(np.argmin(present.any(axis=0)))]))
    return Outcomes(present, levels)


def _never_seen(level: Any) -> str:
    return (
        f"No observation has the outcome {level!r}, which y declares. Its parameters have no estimate: drop the "
        "category (pandas: y.cat.remove_unused_categories())."
    )
