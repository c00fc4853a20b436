"""The search in sparse data that is too wide for a dense working set; no row is made dense.

First the perceptron runs, which in many dimensions often finds a separator soon. With twins (equal examples with
different labels) it runs in the directions that are zero on them: each twin row gives one weight as a combination of
the others. If it finds none, a linear program decides (see `decomposition`).
"""

from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition.decompose import decompose_rows
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.exact.linear_algebra import cleared, primitive
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.separability.search.closure import Closed
from rosenblatt.theory.separability.search.min_norm_search import max_working_values, perceptron
from rosenblatt.theory.separability.witness import Separator, Witness

_EPOCHS = 2000
_ROWS = 4096  # rows processed at a time
_SHARE = 0.5  # share of the remaining budget for the perceptron


def is_wide_and_sparse(examples: Examples) -> bool:
    """Whether a working set that spans the space would take more memory than the examples allow."""
    dense = min(len(examples), examples.width) * examples.width
    return bool(is_sparse(examples.X)) and dense > max_working_values(examples)


def search_sparse(examples: Examples, twins: list[tuple[int, int]], budget: Budget) -> Separator | Closed:
    """A separator of all examples; or a witness with a weak separator or with the proof that there is none."""
    if twins:
        weak = _beside_twins(examples, twins, budget)
        if weak is not None:
            return Closed(Witness(dict.fromkeys(twins[0], 1)), separator=weak)
    elif (found := perceptron(examples, _EPOCHS, budget, _SHARE)) is not None:
        return found
    return by_decomposition(examples, budget)


def by_decomposition(examples: Examples, budget: Budget) -> Separator | Closed:
    """The answer from the decomposition of the rows z."""
    budget.spend(300.0 * examples.values)
    rows = _rows(examples)
    positive, direction, multipliers = decompose_rows(rows, np.zeros(len(rows), dtype=bool), budget)
    if positive.all():
        return Separator(direction)
    indices = [i for i, m in zip(examples.members.tolist(), multipliers, strict=True) if m]
    witness = Witness.of(indices, [m for m in multipliers if m])
    if positive.any():
        return Closed(witness, separator=Separator(direction))
    return Closed(witness, covers_all=True)


def _rows(examples: Examples) -> IntegerRows:
    part = examples.X[examples.members]
    signs = examples.signs[examples.members].astype(np.float64)
    if is_sparse(part):
        import scipy.sparse as sp

        rows = sp.diags(signs) @ part.astype(np.float64)
        return IntegerRows.of(
            sp.hstack([signs[:, None], rows], format="csr") if examples.fit_intercept else rows.tocsr()
        )
    rows = part * signs.astype(part.dtype if part.dtype.kind in "fO" else object)[:, None]
    return IntegerRows.of(np.column_stack([signs.astype(rows.dtype), rows]) if examples.fit_intercept else rows)


def _beside_twins(examples: Examples, twins: list[tuple[int, int]], budget: Budget) -> Separator | None:
    """Weights that are zero on the twins and > 0 on all other examples, if the perceptron finds some."""
    rows = _distinct([a for a, _ in twins], examples)
    budget.spend(20.0 * examples.values)
    B = examples.X[rows].astype(np.float64)
    pivots = _private_columns(examples, B)
    if pivots is None:
        return None
    rest = np.setdiff1d(examples.members, np.array(twins).reshape(-1))
    if not len(rest):
        return None
    from scipy.sparse import diags

    own = np.array([B[k, p] for k, p in enumerate(pivots)])
    factors = examples.X[:, pivots].astype(np.float64)[rest] @ diags(1 / own)
    inside = Examples(_eliminated(examples, rest, factors, B), examples.signs[rest], fit_intercept=False)
    guess = perceptron(inside, _EPOCHS, budget, _SHARE, check=False)
    if guess is None:
        return None
    weights = _zero_on(B, pivots, guess.weights, int(examples.fit_intercept))
    wrong, _ = examples.only(rest).not_above_zero(weights, budget)
    return None if len(wrong) else Separator(weights)


def _eliminated(examples: Examples, rows: Indices, factors: Any, B: Any) -> Any:
    """The rows x − factor·B, in which the pivot columns are zero, after the offset's column if there is one.

    Some rows at a time, so that X exists only once more. Rows without a pivot, nearly all, are unchanged.
    """
    from scipy.sparse import csr_matrix, hstack

    X, offset = examples.X, int(examples.fit_intercept)
    most = int(np.diff(X.indptr)[rows].sum()) + (factors @ B).nnz + offset * len(rows)
    data, indices = np.empty(most), np.empty(most, dtype=X.indices.dtype)
    starts, end = [np.zeros(1, dtype=X.indptr.dtype)], 0
    for begin in range(0, len(rows), _ROWS):
        chosen = slice(begin, begin + _ROWS)
        part = X[rows[chosen]].astype(np.float64) - factors[chosen] @ B
        if offset:
            column = np.asarray(1 - factors[chosen].sum(axis=1)).reshape(-1, 1)
            part = hstack([csr_matrix(column), part], format="csr")
        now = slice(end, end + part.nnz)
        data[now], indices[now] = part.data, part.indices
        starts.append(end + part.indptr[1:])
        end = now.stop
    shape = len(rows), X.shape[1] + offset
    return csr_matrix((data[:end], indices[:end], np.concatenate(starts)), shape=shape)


def _distinct(rows: list[int], examples: Examples) -> list[int]:
    """One row of each group of equal ones, compared by their stored values."""
    X = examples.X
    seen: dict[bytes, int] = {}
    for i in rows:
        part = slice(X.indptr[i], X.indptr[i + 1])
        seen.setdefault(X.indices[part].tobytes() + X.data[part].tobytes(), i)
    return list(seen.values())


def _private_columns(examples: Examples, B: Any) -> list[int] | None:
    """For each row a column that no other of these rows has, with the fewest values in X; None if a row has none."""
    shared = np.bincount(B.indices, minlength=B.shape[1])
    counts = np.bincount(examples.X.indices, minlength=B.shape[1])
    chosen = []
    for k in range(B.shape[0]):
        columns = B.indices[B.indptr[k] : B.indptr[k + 1]][B.data[B.indptr[k] : B.indptr[k + 1]] != 0]
        columns = columns[shared[columns] == 1]
        if not len(columns):
            return None
        chosen.append(int(columns[np.argmin(counts[columns])]))
    return chosen


def _zero_on(B: Any, pivots: list[int], weights: list[int], offset: int) -> list[int]:
    """The weights with each pivot changed so that every row of B has score 0, exactly."""
    w = [Fraction(a) for a in weights]
    for p in pivots:
        w[p + offset] = Fraction(0)
    for k, p in enumerate(pivots):
        entries = range(B.indptr[k], B.indptr[k + 1])
        score = sum((Fraction(B.data[e]) * w[B.indices[e] + offset] for e in entries), Fraction(0))
        own = next(Fraction(B.data[e]) for e in entries if B.indices[e] == p)
        w[p + offset] = -(score + (w[0] if offset else 0)) / own
    return primitive(cleared(w)[0])
