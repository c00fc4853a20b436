"""A pytest plugin (`-p`): scikit-learn's own tests then meet another Perceptron.

ROSENBLATT_SWAP says which: "ours" is `rosenblatt.compat.Perceptron`, "theirs" leaves scikit-learn's in place, which
shows what its tests expect of a perceptron. It must be loaded before the test modules, whose `from sklearn.linear_model
import Perceptron` is to find the class already swapped.

`SGDClassifier` is swapped as well, for `test_sgd.py`: by that same perceptron, penalised as SGDClassifier is by
default. A test that asks for a loss, a learning rate or an average that no perceptron has is skipped, and says so.
"""

import os

import pytest
import sklearn.linear_model
from sklearn.linear_model import Perceptron as Theirs

from rosenblatt.compat import Perceptron as Ours

Perceptron = {"ours": Ours, "theirs": Theirs}[os.environ["ROSENBLATT_SWAP"]]

FOREIGN = "not a perceptron:"


class SGDClassifier(Perceptron):
    """A perceptron that understands the parameters of scikit-learn's SGDClassifier."""

    def __init__(
        self,
        loss="perceptron",
        *,
        penalty="l2",
        alpha=0.0001,
        l1_ratio=0.15,
        fit_intercept=True,
        max_iter=1000,
        tol=1e-3,
        shuffle=True,
        verbose=0,
        epsilon=0.1,
        n_jobs=None,
        random_state=None,
        learning_rate="constant",
        eta0=1.0,
        power_t=0.5,
        early_stopping=False,
        validation_fraction=0.1,
        n_iter_no_change=5,
        class_weight=None,
        warm_start=False,
        average=False,
    ):
        plain = {"loss": "perceptron", "learning_rate": "constant", "average": False, "power_t": 0.5, "epsilon": 0.1}
        asked = {
            "loss": loss,
            "learning_rate": learning_rate,
            "average": average,
            "power_t": power_t,
            "epsilon": epsilon,
        }
        for name, value in asked.items():
            if value != plain[name]:
                pytest.skip(f"{FOREIGN} {name}={value!r}")
        super().__init__(
            penalty=penalty,
            alpha=alpha,
            l1_ratio=l1_ratio,
            fit_intercept=fit_intercept,
            max_iter=max_iter,
            tol=tol,
            shuffle=shuffle,
            verbose=verbose,
            eta0=eta0,
            n_jobs=n_jobs,
            random_state=random_state,
            early_stopping=early_stopping,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            class_weight=class_weight,
            warm_start=warm_start,
        )
        vars(self).update(asked)


sklearn.linear_model.Perceptron = Perceptron
sklearn.linear_model.SGDClassifier = SGDClassifier
