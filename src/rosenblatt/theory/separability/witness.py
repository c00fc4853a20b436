"""The two results of a search: a separator, or a witness that there is none."""

from dataclasses import dataclass

from rosenblatt.theory.exact.linear_algebra import primitive


@dataclass(frozen=True)
class Separator:
    """Weights [w₀, w₁, …] with z·w > 0 for every example, in integers."""

    weights: list[int]


@dataclass(frozen=True)
class Witness:
    """Multipliers > 0 with Σ λz = 0: no separator exists.

    With a `basis`, the multipliers are close to such numbers, and these examples prove it (see `near_witness.py`).
    """

    multipliers: dict[int, int]
    basis: tuple[int, ...] = ()

    @classmethod
    def of(cls, indices: list[int], multipliers: list[int]) -> "Witness":
        pairs = sorted((i, m) for i, m in zip(indices, primitive(multipliers), strict=True) if m)
        return cls(dict(pairs))
