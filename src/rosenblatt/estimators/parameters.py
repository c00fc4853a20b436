"""The parameters of an estimator, checked by the one table (`learning.parameters`)."""

from typing import Any

from rosenblatt.learning.parameters import Algorithm, Parameters, check_value, names_of

#: Parameters that were found right, for estimators that are asked again and again. Values of other types may change, or
#: be equal to values that are wrong.
_right: dict[tuple[Any, ...], Parameters] = {}
_PLAIN = frozenset({type(None), bool, int, float, str})
_MOST = 1000


def checked_parameters(estimator: Any, algorithm: Algorithm) -> Parameters:
    """The estimator's parameters; refuses the first that is not as the table has it."""
    names = names_of(algorithm)
    values = [getattr(estimator, name) for name in names]
    types = tuple(map(type, values))  # since True == 1 == 1.0
    plain = _PLAIN.issuperset(types)
    combination = (type(estimator), types, *values) if plain else ()
    if plain and combination in _right:
        return _right[combination]
    for name, value in zip(names, values, strict=True):
        check_value(algorithm, name, value, type(estimator).__name__)
    parameters = Parameters(algorithm, dict(zip(names, values, strict=True)))
    if plain and len(_right) < _MOST:
        _right[combination] = parameters
    return parameters
