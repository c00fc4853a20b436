"""Models of statsmodels, fitted or not."""

from typing import Any

import numpy as np

from rosenblatt.theory.existence.model.outcomes import Family
from rosenblatt.theory.existence.model.specification import Specification

# Links of statsmodels that map the shares between 0 and 1 onto the whole line; most others are derived from them.
_ONTO_SHARES = ("Logit", "CDFLink")


def specification_of_model(model: Any) -> Specification:
    """The model and data of a statsmodels model, or of the results of its fit."""
    model = getattr(model, "model", model)
    kind = type(model).__name__
    if not hasattr(model, "exog") or not hasattr(model, "endog"):
        raise TypeError(
            f"{type(model).__name__} is not a statsmodels model. Give existence.of a model such as sm.Logit(y, X), or "
            "call theory.existence(X, y, family=...)."
        )
    exog = np.asarray(model.exog)
    X = dict(zip(model.exog_names, exog.T, strict=False))  # the names of an OrderedModel's thresholds follow
    if len(X) < exog.shape[1]:
        raise ValueError(
            "Two regressors of the model have the same name. Rename one: coefficients are identified by name."
        )
    family: Family
    y, weights, names = model.endog, None, None
    if kind in ("Logit", "Probit"):
        family = "binomial"
    elif kind == "MNLogit":
        family, names = "multinomial", tuple(str(label) for _, label in sorted(model._ynames_map.items()))
        y = np.asarray(model.endog).astype(np.int64)
    elif kind == "Poisson":
        family = "poisson"
    elif kind == "OrderedModel":
        family, names = "ordinal", tuple(str(label) for label in model.labels)
        y = np.asarray(model.endog).astype(np.int64)
    elif kind == "GLM":
        family, weights = _family_of_glm(model), np.asarray(model.freq_weights) * np.asarray(model.var_weights)
    else:
        raise TypeError(
            f"Models of the class {kind} are not supported; supported are Logit, Probit, MNLogit, Poisson, "
            "OrderedModel and GLM (binomial, Poisson). Call theory.existence(X, y, family=...) if one of its families "
            "applies."
        )
    return Specification(X, y, family, family == "ordinal", weights, getattr(model, "offset", None), None, names)


def _family_of_glm(model: Any) -> Family:
    family, link = type(model.family).__name__, model.family.link
    is_log = type(link).__name__ == "Log"
    if family == "Binomial" and is_log:
        return "log-binomial"
    if family == "Binomial" and any(base.__name__ in _ONTO_SHARES for base in type(link).__mro__):
        return "binomial"
    if family == "Poisson" and is_log:
        return "poisson"
    raise TypeError(
        f"A GLM with the family {family} and the link {type(link).__name__} is not supported; supported are Binomial "
        "with the links Logit, Probit, Cauchy, CLogLog, LogLog, CDFLink and Log, and Poisson with the link Log."
    )
