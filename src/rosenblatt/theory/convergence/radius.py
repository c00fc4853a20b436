"""R, the largest length of an example in the space that the run uses."""

from fractions import Fraction

import numpy as np

from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.examples.sparse_type import is_sparse

_BLOCK = 1 << 20


def squared_radius(examples: Examples) -> Fraction:
    """The largest ‖z‖², exactly: of (1, x) with an offset, else of x."""
    scale = float(np.ldexp(1.0, -int(np.frexp(examples.largest.max())[1])))
    squares = np.zeros(len(examples.signs))
    block = max(1, _BLOCK // examples.width)
    for begin in range(0, len(squares), block):
        part = examples.X[begin : begin + block].astype(np.float64) * scale
        sums = part.multiply(part).sum(axis=1) if is_sparse(part) else np.einsum("ij,ij->i", part, part)
        squares[begin : begin + block] = np.asarray(sums).reshape(-1)
    squares[examples.signs == 0] = -1
    # Floating point finds the largest length to about 10⁻¹⁵; the few candidates are then computed exactly.
    near = np.flatnonzero(squares >= squares.max() * (1 - 4e-16 * (examples.width + 4)) - 1e-300)
    best = Fraction(0)
    for begin in range(0, len(near), block):
        table, exponent = examples.integers(near[begin : begin + block])
        best = max(best, max(sum(a * a for a in z) for z in table) * Fraction(4) ** exponent)
    return best
