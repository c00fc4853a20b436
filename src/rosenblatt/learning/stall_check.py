"""What a fit asks before it gives up: whether there is a separator at all."""

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.problems import Group

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Values of X up to which the question is worth asking: a second or two.
SMALL = 1_000_000


class StallCheck:
    """Answers for a group of binary problems, and keeps the proofs."""

    def __init__(self, examples: Examples, group: Group, fit_intercept: bool) -> None:
        self._examples = examples
        self._group = group
        self._fit_intercept = fit_intercept
        self.proofs: dict[int, Separability] = {}

    def answer(self, problem: int) -> tuple[bool, str]:
        """Whether to go on with a problem that would stall; if not, how it ends."""
        from rosenblatt.theory import ask_for_fit  # which a fit that settles by itself does not pay for

        signs = np.where(self._examples.codes == self._group.positives[problem], 1, -1)
        found = ask_for_fit(
            self._examples.matrix(), signs, fit_intercept=self._fit_intercept, chosen=self._group.chosen
        )
        if found.separable is None:
            return False, "stalled"
        self.proofs[problem] = found
        return (True, "stalled") if found.separable else (False, "inseparable")
