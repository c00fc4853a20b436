"""Linear algebra in integers (FLINT) for the proofs."""

from fractions import Fraction
from math import gcd, lcm

from flint import fmpq_mat, fmpz_mat, nmod_mat

from rosenblatt.theory.budget import Budget

Matrix = list[list[int]]

_PRIME = 2**61 - 1


def bits_of(rows: Matrix) -> int:
    return max((max(map(abs, row), default=0) for row in rows), default=0).bit_length()


def null_space(rows: Matrix, budget: Budget) -> Matrix:
    """A basis, in smallest integers, of the vectors v with row·v = 0 for every row."""
    return _kernel(fmpz_mat(rows), [max(map(abs, column)).bit_length() for column in zip(*rows, strict=True)], budget)


def only_null_vector(matrix: fmpz_mat, bits: int, budget: Budget) -> list[int] | None:
    """The vector v with matrix·v = 0, if it is unique up to its scale; else None. `bits`: of the longest entry."""
    basis = _kernel(matrix, [bits] * matrix.ncols(), budget)
    return basis[0] if len(basis) == 1 else None


def _kernel(matrix: fmpz_mat, bits: list[int], budget: Budget) -> Matrix:
    """The null space; `bits` are those of the longest entry of each column."""
    height, width = matrix.nrows(), matrix.ncols()
    budget.spend(height * width * (30.0 + min(height, width)))
    rank = int(nmod_mat(matrix, _PRIME).rank())
    if rank == width:
        return []  # a rank modulo a prime is never above the true one
    length = sum(sorted(bits)[width - rank :])  # of a minor
    budget.exact_solve(height, width, length // max(1, rank))
    # Each vector beyond the first has about `rank` further quotients of minors.
    budget.spend(0.4 * rank**2 * length * (width - rank - 1))
    basis, nullity = matrix.nullspace()
    columns = basis.transpose().tolist()[: int(nullity)]
    return [primitive([int(a) for a in column]) for column in columns]


def rank(rows: Matrix, budget: Budget) -> int:
    budget.exact_solve(len(rows), len(rows[0]), bits_of(rows))
    return int(fmpz_mat(rows).rank())


def solve(matrix: Matrix, right: list[int], budget: Budget) -> tuple[list[int], int] | None:
    """The solution of a square system over a common denominator > 0, or None where it is singular."""
    budget.exact_solve(len(matrix), len(matrix), bits_of(matrix))
    try:
        solution = fmpq_mat(fmpz_mat(matrix)).solve(fmpq_mat(fmpz_mat([[b] for b in right])))
    except ZeroDivisionError:
        return None
    numerators, denominator = solution.numer_denom()
    sign = -1 if denominator < 0 else 1
    return [sign * int(a) for a in numerators.entries()], abs(int(denominator))


def primitive(vector: list[int]) -> list[int]:
    """The same direction in the smallest integers."""
    divisor = gcd(*vector)
    return [a // divisor for a in vector] if divisor > 1 else vector


def cleared(numbers: list[Fraction]) -> tuple[list[int], int]:
    """Numbers over their smallest common denominator."""
    common = lcm(*(q.denominator for q in numbers))
    return [q.numerator * (common // q.denominator) for q in numbers], common


def gram(rows: Matrix, extra: int) -> Matrix:
    """All products row·row, plus `extra`."""
    Z = fmpz_mat(rows)
    return [[int(a) + extra for a in row] for row in (Z * Z.transpose()).tolist()]


def combine(multipliers: list[int], rows: Matrix) -> list[int]:
    """Gives Σ multiplier · row."""
    return [int(a) for a in (fmpz_mat([multipliers]) * fmpz_mat(rows)).entries()]


def dot(a: list[int], b: list[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True) if x and y)
