"""The decomposition of a homogeneous system Z w ≥ 0 into rows that can be positive and rows that cannot, with proof."""

from rosenblatt.theory.decomposition.check_decomposition import check_decomposition
from rosenblatt.theory.decomposition.decompose import Decomposition, decompose

__all__ = ["Decomposition", "check_decomposition", "decompose"]
