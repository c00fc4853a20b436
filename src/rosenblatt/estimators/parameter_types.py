"""Types of the estimators' parameters that are not simple literals."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from rosenblatt.learning.parameters import KernelName
from rosenblatt.learning.progress import Progress

KernelChoice = KernelName | Callable[[Any, Any], Any]  # two matrices of examples, and the matrix of kernel values
Gamma = float | Literal["scale", "auto"]
ClassWeight = Mapping[Any, float] | Literal["balanced"] | None  # a label may be of any type
RandomState = int | np.random.RandomState | None
Callback = Callable[[Progress], object] | None
