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
        self._scales_differ: bool | None = None

    def answer(self, problem: int, epoch: int) -> tuple[bool, str]:
        """Returns whether a problem is separable and gets the larger budget of work, and how it ends if not.

        With the ending "stalled" the problem continues as long as its errors decrease. This is so if the question is
        open, and if the columns have very different ranges: the larger budget is then rarely enough, so a
        `SlowFitWarning` recommends scaling instead.
        """
        from rosenblatt.theory import ask_for_fit  # a slow import, needed only here

        signs = np.where(self._examples.codes == self._group.positives[problem], 1, -1)
        found = ask_for_fit(
            self._examples.matrix(), signs, fit_intercept=self._fit_intercept, chosen=self._group.chosen
        )
        if found.separable is not None:
            self.proofs[problem] = found
        if found.separable is False:
            return False, "inseparable"
        if self._scales_differ is None:
            self._scales_differ = self._examples.scales_differ()
        if self._scales_differ:
            self._warn(epoch, bool(found.separable))
        return bool(found.separable) and not self._scales_differ, "stalled"

    def _warn(self, epoch: int, separable: bool) -> None:
        if self._warned:
            return
        self._warned = True
        known = "A separator exists, but the" if separable else "The"
        warnings.warn(
            f"{known} fit has not ended after {epoch:,} epochs. The ranges of the columns differ by orders of "
            "magnitude; scaling them (sklearn.preprocessing.StandardScaler) usually makes a fit much shorter. The "
            "fit goes on only while its errors decrease; with max_iter it takes as many epochs as you give it.",
            SlowFitWarning,
            stacklevel=2,
        )
