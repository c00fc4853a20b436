"""Checks the parameters of an estimator against the table in `learning.parameters`."""

from rosenblatt.learning.parameters import Algorithm, Parameters, check_together, check_value, names_of

#: Cache of valid parameters, for repeated calls of `partial_fit`. Only immutable plain types are cached.
_valid: dict[tuple[object, ...], Parameters] = {}
_PLAIN = frozenset({type(None), bool, int, float, str})
_MAX_CACHED = 1000


def checked_parameters(estimator: object, algorithm: Algorithm) -> Parameters:
    """Returns the estimator's parameters; raises `ParameterError` for the first invalid value."""
    names = names_of(algorithm)
    values = [getattr(estimator, name) for name in names]
    types = tuple(map(type, values))  # part of the key, because True == 1 == 1.0
    plain = _PLAIN.issuperset(types)
    combination = (type(estimator), types, *values) if plain else ()
    if plain and combination in _valid:
        return _valid[combination]
    for name, value in zip(names, values, strict=True):
        check_value(algorithm, name, value, type(estimator).__name__)
    named = dict(zip(names, values, strict=True))
    check_together(type(estimator).__name__, named)
    parameters = Parameters(algorithm, named)
    if plain and len(_valid) < _MAX_CACHED:
        _valid[combination] = parameters
    return parameters
