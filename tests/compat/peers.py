"""Random calls of a class, made twice: to scikit-learn's and to ours."""

import platform
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.utils.fixes import parse_version

#: scikit-learn's wheels for other machines fuse multiplications and additions, which rounds differently.
SAME_ROUNDING = platform.machine().lower() in ("x86_64", "amd64")
#: Before 1.8, SGDClassifier's rates pa1 and pa2 are undocumented, and do not read eta0.
HAS_PA_RATES = parse_version(sklearn.__version__) >= parse_version("1.8")


@dataclass
class Call:
    """Everything that decides a fit, from one seed."""

    X: Any
    y: np.ndarray
    parameters: dict[str, Any]
    fit: dict[str, Any]
    exact: bool  # no operation rounds

    def copies(self) -> dict[str, Any]:
        return {name: None if value is None else value.copy() for name, value in self.fit.items()}


def random_call(seed: int) -> Call:
    rng = np.random.default_rng(seed)
    pick = lambda *choices: choices[rng.integers(len(choices))]  # noqa: E731  # numpy's choice would convert them
    n, d, n_classes = int(rng.integers(20, 150)), int(rng.integers(1, 60)), int(rng.integers(2, 6))
    kind = pick("whole", "decimal", "real", "hostile")
    X = 3 * rng.standard_normal((n, d))
    if kind == "whole":
        X = np.round(X)
    elif kind == "decimal":
        X = np.round(X, 1)  # scores that are zero, but for rounding
    elif kind == "hostile":
        X = rng.choice([1e9, -1e9, 1.0, 3.0, 0.1, 0.0], (n, d))  # sums that depend on their order
    y = rng.integers(0, n_classes, n)
    if n_classes == 2 and rng.random() < 0.5:
        y = (X @ rng.standard_normal(d) > 0).astype(int)
    y[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
    X = X.astype(pick(np.float32, np.float64))
    if rng.random() < 0.4:
        X = sp.csr_matrix(X * (rng.random(X.shape) < 0.4))
    parameters = {
        "penalty": pick(None, None, "l1", "l2", "elasticnet"),
        "alpha": pick(1e-4, 1e-2, 0.3, 2.0),
        "l1_ratio": float(rng.random()),
        "fit_intercept": bool(rng.random() < 0.8),
        "max_iter": int(rng.integers(1, 50)),
        "tol": pick(None, 1e-3, 0.0, 0.1),
        "shuffle": bool(rng.random() < 0.7),
        "eta0": pick(1.0, 1.0, 0.37),
        "n_jobs": pick(None, 2),
        "random_state": int(rng.integers(1000)),
        "early_stopping": bool(rng.random() < 0.25),
        "validation_fraction": 0.2,
        "n_iter_no_change": int(rng.integers(1, 6)),
        "class_weight": pick(None, "balanced", {0: 0.3, 1: 2.0}),
        "warm_start": bool(rng.random() < 0.3),
    }
    planes = 1 if n_classes == 2 else n_classes
    fit = {
        "sample_weight": pick(None, rng.random(n) * (rng.random(n) < 0.9)),
        "coef_init": pick(None, rng.standard_normal((planes, d))),
        "intercept_init": pick(None, rng.standard_normal(planes)),
    }
    labels = pick(y, y.astype(float), np.array(list("abcde"))[y])
    if labels.dtype.kind == "U" and isinstance(parameters["class_weight"], dict):
        parameters["class_weight"] = {"a": 0.3, "b": 2.0}
    exact = kind == "whole" and parameters["penalty"] is None and parameters["eta0"] == 1.0
    exact &= parameters["class_weight"] is None and not sp.issparse(X) and all(v is None for v in fit.values())
    return Call(X, labels, parameters, fit, bool(exact))


def random_call_of(name: str, seed: int) -> Call:
    """A call of the class of this name: what a Perceptron's call has, and the parameters that the class adds."""
    call = random_call(seed)
    rng = np.random.default_rng([seed, 1])
    pick = lambda *choices: choices[rng.integers(len(choices))]  # noqa: E731  # numpy's choice would convert them
    if name == "Perceptron":
        return call
    parameters = call.parameters | {"average": pick(False, False, True, 7, 100_000)}
    fit, y, X = call.fit, call.y, call.X
    if name == "SGDClassifier":
        rate = pick("constant", "optimal", "invscaling", "adaptive", *(("pa1", "pa2") if HAS_PA_RATES else ()))
        loss = "hinge" if rate in ("pa1", "pa2") else pick("hinge", "squared_hinge", "perceptron")
        parameters |= {"loss": loss, "learning_rate": rate, "eta0": pick(1.0, 0.37, 0.01), "power_t": pick(0.5, 0.2)}
    else:
        for absent in ("penalty", "alpha", "l1_ratio", "eta0"):
            del parameters[absent]
        parameters |= {"C": pick(1.0, 0.1, 0.003), "loss": pick("hinge", "squared_hinge")}
        fit = {key: value for key, value in fit.items() if key != "sample_weight"}
    if name == "PassiveAggressiveRegressor":
        for absent in ("n_jobs", "class_weight"):
            del parameters[absent]
        parameters["loss"] = f"{'squared_' if parameters['loss'] == 'squared_hinge' else ''}epsilon_insensitive"
        parameters["epsilon"] = pick(0.1, 0.0, 1.0)
        first = X[:, [0]].toarray().ravel() if sp.issparse(X) else X[:, 0]
        y = first + 3 * rng.standard_normal(X.shape[0])
        fit = {key: None if value is None else value[:1] for key, value in fit.items()}
    return Call(X, y, parameters, fit, exact=False)


def quietly(action: Any) -> tuple[Any, list[tuple[type, str]]]:
    """What an action returns, and the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = action()
    return result, [(warning.category, str(warning.message)) for warning in caught]


def assert_same_model(ours: Any, theirs: Any, exact: bool = False) -> None:
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.t_ == theirs.t_
    for name in ("coef_", "intercept_", *(["classes_"] if hasattr(theirs, "classes_") else [])):
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert mine.dtype == other.dtype
        assert mine.shape == other.shape
        if exact or SAME_ROUNDING or mine.dtype.kind not in "f":
            np.testing.assert_array_equal(mine, other)
        else:
            np.testing.assert_allclose(mine, other, rtol=1e-9 if mine.dtype == np.float64 else 1e-3, atol=1e-9)
