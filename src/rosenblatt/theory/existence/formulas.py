"""Formulas, through formulaic."""

import re
from typing import Any

import narwhals.stable.v2 as nw

from rosenblatt.theory.existence.model.design import is_frame
from rosenblatt.theory.existence.model.outcomes import Family
from rosenblatt.theory.existence.model.specification import Specification

_ALL_OTHERS = re.compile(r"(?<![\w.`])\.(?![\w.`])")  # the dot of `y ~ .`
#: What to write instead, by a pattern of the formula or of formulaic's message.
_HINTS = {
    r"\boffset\(": "An offset is an argument, not a term: offset='column'.",
    r"\bcbind\(": "Grouped counts are a sum on the left: 'successes + failures ~ x'.",
    r"contains null values": "Drop the rows with gaps (pandas: data.dropna()) or fill them.",
}
_COLOUR = re.compile(r"\x1b\[[\d;]*m|[⧛⧚]")  # marks of formulaic around the place of an error


def specification_of_formula(
    formula: str, data: Any, family: Family, weights: Any, offset: Any, fixed_effects: Any
) -> Specification:
    try:
        import formulaic
    except ImportError as error:
        raise ImportError("A formula needs the package formulaic: pip install formulaic") from error
    if not isinstance(formula, str):
        raise TypeError(f"formula is {formula!r}; it must be a text such as 'y ~ x1 + x2'.")
    if not is_frame(data):
        raise TypeError(
            f"data is of the type {type(data).__name__}; a formula needs a frame of pandas, polars or pyarrow with the "
            "columns that it names: pandas.DataFrame(data)."
        )
    left, separator, right = formula.partition("~")
    if not separator or not left.strip():
        raise ValueError(f"The formula {formula!r} has no response. Write it as 'y ~ x1 + x2'.")
    right, bar, effects = right.partition("|")
    frame = nw.from_native(data, eager_only=True)
    if bar:
        fixed_effects = [name.strip() for name in effects.split("+")]
    y = left.strip()
    roles = [*(fixed_effects if isinstance(fixed_effects, list) else [fixed_effects]), weights, offset]
    try:
        is_column = y in frame.columns
        if _ALL_OTHERS.search(right):
            used = {y} if is_column else {*formulaic.Formula(y).required_variables}
            used.update(name for name in roles if isinstance(name, str))
            right = _ALL_OTHERS.sub(" + ".join(f"`{name}`" for name in frame.columns if name not in used), right)
        response = frame[y] if is_column else formulaic.model_matrix(f"{y} - 1", data, na_action="raise")
        matrix = formulaic.model_matrix(right.strip(), data, na_action="raise", output="pandas")
    except (formulaic.errors.FormulaicError, ValueError) as error:
        reason = _COLOUR.sub("", str(error)).strip()
        hints = [hint for pattern, hint in _HINTS.items() if re.search(pattern, f"{formula}\n{reason}")]
        raise ValueError(" ".join([f"The formula {formula!r} does not fit these data: {reason}", *hints])) from error
    X = {str(name): matrix[name].to_numpy() for name in matrix.columns}
    if family == "ordinal" or fixed_effects is not None:
        X.pop("Intercept", None)  # thresholds and effects take its place
    return Specification(
        X,
        response.to_native() if isinstance(response, nw.Series) else response,
        family,
        family == "ordinal",
        _column(frame, weights),
        _column(frame, offset),
        _effects(frame, fixed_effects),
    )


def _column(frame: Any, given: Any) -> Any:
    """The column of the data with this name, or the values themselves if they were given."""
    return _named(frame, given).to_numpy() if isinstance(given, str) else given


def _effects(frame: Any, given: Any) -> Any:
    names = [given] if isinstance(given, str) else given
    if isinstance(names, list) and names and all(isinstance(name, str) for name in names):
        for name in names:
            _named(frame, name)
        return frame.select(names).to_native()
    return given


def _named(frame: Any, name: str) -> Any:
    if name not in frame.columns:
        raise ValueError(f"The data have no column {name!r}; they have {', '.join(map(str, frame.columns))}.")
    return frame[name]
