"""The stall check: if a small fit lasts long, `theory` decides whether a separator exists."""

import warnings
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.problems import Group

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: The check is made if X has at most this many values; it then takes a second or two.
SMALL = 1_000_000


class SlowFitWarning(UserWarning):
    """A small fit lasts long, and scaling the columns would probably shorten it."""


class StallCheck:
    """Checks the binary problems of a group and stores the proofs."""

    def __init__(self, examples: Examples, group: Group, fit_intercept: bool) -> None:
        self._examples = examples
        self._group = group
        self._fit_intercept = fit_intercept
        self.proofs: dict[int, Separability] = {}
        self._warned = False

    def answer(self, problem: int, epoch: int) -> tuple[bool, str]:
        """Returns whether a problem is separable and should continue, and how it ends if not.

        The ending "stalled" means that the question is open. If the problem may continue and the columns have very
        different ranges, a `SlowFitWarning` is issued now, because the fit can last for minutes.
        """
        from rosenblatt.theory import ask_for_fit  # a slow import, needed only here

        signs = np.where(self._examples.codes == self._group.positives[problem], 1, -1)
        found = ask_for_fit(
            self._examples.matrix(), signs, fit_intercept=self._fit_intercept, chosen=self._group.chosen
        )
        if found.separable is not False:
            self._warn(epoch, bool(found.separable))
        if found.separable is None:
            return False, "stalled"
        self.proofs[problem] = found
        return (True, "stalled") if found.separable else (False, "inseparable")

    def _warn(self, epoch: int, separable: bool) -> None:
        if self._warned or not self._examples.scales_differ():
            return
        self._warned = True
        known = "A separator exists, but the" if separable else "The"
        warnings.warn(
            f"{known} fit has not ended after {epoch:,} epochs. The ranges of the columns differ by orders of "
            "magnitude; scaling them (sklearn.preprocessing.StandardScaler) usually makes a fit much shorter. max_iter "
            "limits it.",
            SlowFitWarning,
            stacklevel=2,
        )
