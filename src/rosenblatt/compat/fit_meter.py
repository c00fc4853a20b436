"""The progress line of a fit of several binary problems, which may run in several threads."""

import threading

from rosenblatt.core import CompatRun
from rosenblatt.meter import Meter


class FitMeter(Meter):
    """Counts the epochs of all problems. A problem that ended before `max_iter` counts as if it had reached it.

    Parameters
    ----------
    name : str
        The estimator.
    problems, max_iter : int
        The number of binary problems, and the most epochs of each.
    shown : bool
        False if the fit prints its epochs itself.
    """

    def __init__(self, name: str, problems: int, max_iter: int, *, shown: bool) -> None:
        super().__init__(f"{name}.fit", problems * max_iter, "epochs")
        self._problems, self._max_iter, self._shows = problems, max_iter, shown
        self._epochs: dict[int, int] = {}  # by the positive class of the problem
        self._ended: set[int] = set()
        self._lock = threading.Lock()

    def after_slice(self, run: CompatRun, positives: list[int]) -> None:
        """Shows the present state; `positives` are the positive classes of the problems of the run."""
        if not self._shows:
            return
        with self._lock:
            for c, positive in enumerate(positives):
                ended = run.ending(c) != "running"
                self._epochs[positive] = self._max_iter if ended else run.epochs(c)
                if ended:
                    self._ended.add(positive)
            several = f"{len(self._ended)} of {self._problems} classes" if self._problems > 1 else ""
            self.update(sum(self._epochs.values()), several)
