"""Types of the estimators' parameters that are not simple literals."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from rosenblatt.learning.labels.class_weights import ClassWeight as GivenClassWeight
from rosenblatt.learning.progress import Progress

Gamma = float | Literal["scale", "auto"]
ClassWeight = GivenClassWeight | None
RandomState = int | np.random.RandomState | None
Callback = Callable[[Progress], object] | None
