"""The estimators of all algorithms in the table of parameters: tests over all of them include a new one at once."""

import rosenblatt
from rosenblatt.learning.parameters import ALGORITHMS

FAMILY = [getattr(rosenblatt, algorithm) for algorithm in ALGORITHMS]
