"""Checks a certificate of existence from the definitions, in rational numbers. Shares no code with the search."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

Vector = dict[Any, Fraction]  # by coefficient: its name, or (effect, level)
Key = tuple[int, int, int]  # observation, its outcome, the outcome that it is compared with

_FAMILIES = ("binomial", "multinomial", "ordinal", "poisson", "log-binomial")


def verify_existence(
    certificate: Mapping[str, Any], X: Any, y: Any, *, weights: Any = None, fixed_effects: Any = None
) -> bool:
    """Whether a certificate (`Existence.to_dict()`, also through JSON) proves its claim about these data.

    `X`, `y` and `fixed_effects` are rows of plain numbers and labels as they were given to `theory.existence`;
    categories in X must have been expanded to numbers. Takes time proportional to observations times squared
    coefficients.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> X, y = [[1], [2], [2], [3]], [0, 0, 1, 1]
    >>> certificate = theory.existence(X, y, family="binomial").to_dict()
    >>> theory.verify_existence(certificate, X, y), theory.verify_existence(certificate, X, [0, 1, 0, 1])
    (True, False)
    """
    try:
        return _Checker(certificate, X, y, weights, fixed_effects).holds()
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return False  # a certificate of other data, or no certificate


class _Checker:
    def __init__(self, certificate: Mapping[str, Any], X: Any, y: Any, weights: Any, fixed_effects: Any) -> None:
        self.certificate = certificate
        self.n = len(y)
        self.family: str = certificate["family"]
        self.classes: list[Any] = certificate["classes"]
        self.names = list(certificate["coefficients"])
        self.effects: list[str] = certificate["effects"]
        self.rows: dict[Key, Vector] = {}
        self.equality: set[Key] = set()
        references: list[tuple[str, Any]] = []
        for i, outcome in enumerate(y):
            if weights is not None and not weights[i]:
                continue
            present = self._present(outcome)
            if not present:
                continue
            x = [Fraction(a) for a in (X[i] if X is not None else [])]
            levels = list(zip(self.effects, fixed_effects[i], strict=True)) if self.effects else []
            references = references or levels
            if self.family == "ordinal":  # the first level of each effect is its reference, with coefficient 0
                levels = [level for level in levels if level not in references]
            for key, row, fixed in self._compared(i, x, levels, present):
                self.rows[key] = row
                if fixed:
                    self.equality.add(key)

    def holds(self) -> bool:
        given = self.certificate
        w = self._direction(given) if given["direction"] is not None else {}
        scores = {key: _dot(row, w) for key, row in self.rows.items()}
        positive = {key for key, score in scores.items() if score > 0}
        multipliers = self._multipliers(given["multipliers"])
        if min(scores.values(), default=0) < 0 or positive & self.equality or positive & set(multipliers):
            return False
        if any(multipliers.get(key, 0) <= 0 for key in set(self.rows) - positive - self.equality):
            return False
        if any(self._sum(multipliers).values()):
            return False
        if given["exists"] != (not positive) or len(self.rows) == 0:
            return False
        if self.family not in _FAMILIES or given["n_observations"] != self.n or given["kind"] != self._kind(positive):
            return False
        self.everything = _echelon(self.rows.values())
        self.unseparated = _echelon(row for key, row in self.rows.items() if key not in positive)
        return self._observations_hold(positive) and self._levels_hold(w) and self._statuses_hold(w)

    def _kind(self, positive: set[Key]) -> str:
        separated = {i for i, _, _ in self.rows} - {i for i, _, _ in set(self.rows) - positive}
        if not positive:
            return "overlap"
        return "complete" if separated == {i for i, _, _ in self.rows} else "quasi-complete"

    def _observations_hold(self, positive: set[Key]) -> bool:
        hit = {i for i, _, _ in positive}
        whole = hit - {i for i, _, _ in set(self.rows) - positive}
        given = self.certificate
        return bool(given["separated"] == sorted(whole) and given["partly_separated"] == sorted(hit - whole))

    def _levels_hold(self, w: Vector) -> bool:
        """Whether the levels that are said to diverge do so, and no others have no finite estimate."""
        given = self.certificate["diverging_levels"]
        if not w:
            return bool(given["count"] == 0 and not given["first"])
        levels = dict.fromkeys(column for row in self.rows.values() for column in row if isinstance(column, tuple))
        contrasts = {level: self._contrast(*level) for level in levels}
        infinite = [level for level, contrast in contrasts.items() if _reduced(contrast, self.unseparated)]
        listed = [(effect, level) for effect, level, _ in given["first"]]
        if given["count"] != len(infinite) or len(set(listed)) != len(listed) or not set(listed) <= set(infinite):
            return False
        return all(
            status == "undecided" or self._status_holds(contrasts[effect, level], status, w, proof)
            for (effect, level, status), proof in zip(given["first"], self.certificate["level_proofs"], strict=True)
        )

    def _contrast(self, effect: str, level: Any) -> Vector:
        """The coefficient of a level relative to the references of its part, as a sum of columns."""
        contrast: Vector = {(effect, level): Fraction(1)}
        if self.family == "ordinal":
            return contrast
        ends = [name for name in self.effects if effect.endswith(":" + name)]  # after the class, in a multinomial model
        name = ends[0] if self.family == "multinomial" else effect
        block = effect.removesuffix(name)
        first = self.effects[0] == name
        for other in self.effects[1:] if first else [name]:
            ways = [
                _plus(contrast, (block + other, held), 1 if first else -1)
                for held in self.certificate["reference_levels"][other]
            ]
            contrast = next((way for way in ways if not _reduced(way, self.everything)), ways[0])
        return contrast

    def _statuses_hold(self, w: Vector) -> bool:
        given = self.certificate
        if given["aliased"] != [name for name in self.names if _reduced({name: Fraction(1)}, self.everything)]:
            return False
        for name, status in given["coefficients"].items():
            unit: Vector = {name: Fraction(1)}
            proof = {kind: given[kind][name] for kind in ("opposite", "keeps_sign") if name in given[kind]}
            if not self._status_holds(unit, status, w, proof):
                return False
        return True

    def _status_holds(self, coefficient: Vector, status: str, w: Vector, proof: Mapping[str, Any]) -> bool:
        """Whether a coefficient, or a sum of coefficients, has this status."""
        sign = _sign(_dot(coefficient, w))
        if not _reduced(coefficient, self.unseparated):
            return status == "finite"
        if _reduced(coefficient, self.everything) or not sign:
            return status == "undefined"
        if status == "undecided":  # not finite; no sign is claimed
            return not proof
        if "opposite" in proof:
            return status == "undefined" and self._recedes(self._direction(proof["opposite"]), coefficient, -sign)
        one_ray = len(self.everything) - len(self.unseparated) <= 1
        kept = one_ray or self._keeps_sign(coefficient, sign, proof["keeps_sign"])
        return status == ("+inf" if sign > 0 else "-inf") and kept

    def _recedes(self, w: Vector, coefficient: Vector, sign: int) -> bool:
        """Whether w is a direction of recession in which the coefficient has this sign."""
        scores = {key: _dot(row, w) for key, row in self.rows.items()}
        fixed = any(scores[key] for key in self.equality)
        return _sign(_dot(coefficient, w)) == sign and min(scores.values()) >= 0 and not fixed

    def _keeps_sign(self, coefficient: Vector, sign: int, listed: Any) -> bool:
        """Whether nonnegative multipliers of the rows add up to a positive multiple of sign · coefficient."""
        multipliers = self._multipliers(listed)
        if any(m < 0 for key, m in multipliers.items() if key not in self.equality):
            return False
        total = {column: a for column, a in self._sum(multipliers).items() if a}
        if set(total) != set(coefficient):
            return False
        factors = {total[column] / a for column, a in coefficient.items()}
        return len(factors) == 1 and _sign(factors.pop()) == sign

    def _present(self, outcome: Any) -> list[int]:
        """The positions of the outcomes that an observation has."""
        if isinstance(outcome, Sequence) and not isinstance(outcome, str):  # counts
            counts = list(outcome) if self.family in ("multinomial", "ordinal") else [outcome[1], outcome[0]]
            return [k for k, count in enumerate(counts) if count > 0]
        if self.family == "poisson":
            return [int(outcome > 0)]
        if self.classes == [0, 1] and self.family in ("binomial", "log-binomial"):
            return [k for k, has in enumerate([outcome < 1, outcome > 0]) if has]
        return [self.classes.index(outcome)]

    def _compared(
        self, i: int, x: list[Fraction], levels: list[tuple[str, Any]], present: list[int]
    ) -> Iterator[tuple[Key, Vector, bool]]:
        """The rows z with z·w ≥ 0, or = 0, that an observation gives."""
        intercept = self.certificate["fit_intercept"] and not self.effects and self.family != "ordinal"
        x = [Fraction(1)] * bool(intercept) + x
        if self.family == "multinomial":
            width = len(x)
            for c in present:
                for k in range(len(self.classes)):
                    if k != c:
                        row = self._block(x, levels, c, width, 1) | self._block(x, levels, k, width, -1)
                        yield (i, c, k), row, False
            return
        thresholds = self.names[: len(self.classes) - 1] if self.family == "ordinal" else []
        predictor = dict(zip(self.names[len(thresholds) :], x, strict=True)) | dict.fromkeys(levels, Fraction(1))
        minus = {column: -a for column, a in predictor.items()}
        if self.family == "ordinal":
            for c in present:
                if c < len(thresholds):
                    yield (i, c, c + 1), minus | {thresholds[c]: Fraction(1)}, False
                if c > 0:
                    yield (i, c, c - 1), predictor | {thresholds[c - 1]: Fraction(-1)}, False
        elif self.family == "binomial":
            up = 1 in present
            yield (i, int(up), int(not up)), predictor if up else minus, len(present) == 2
        else:
            yield (i, 0, 1), minus, 1 in present

    def _block(self, x: list[Fraction], levels: list[tuple[str, Any]], c: int, width: int, sign: int) -> Vector:
        """The part of a row that belongs to class c; the first class is the reference."""
        if c == 0:
            return {}
        names = self.names[(c - 1) * width : c * width]
        block = {name: sign * a for name, a in zip(names, x, strict=True)}
        return block | {(f"{self.classes[c]}:{effect}", level): Fraction(sign) for effect, level in levels}

    def _direction(self, given: Mapping[str, Any]) -> Vector:
        w: Vector = {name: Fraction(int(text, 0)) for name, text in given["direction"].items()}
        for effect, parts in given["effect_directions"].items():
            w |= {(effect, level): Fraction(int(text, 0)) for level, text in parts}
        return w

    def _multipliers(self, listed: Any) -> dict[Key, int]:
        found = {(i, c, k): int(text, 0) for i, c, k, text in listed}
        if not set(found) <= set(self.rows):
            raise KeyError("a multiplier of a row that the data do not give")
        return found

    def _sum(self, multipliers: Mapping[Key, int]) -> Vector:
        total: Vector = {}
        for key, m in multipliers.items():
            for column, a in self.rows[key].items():
                total[column] = total.get(column, Fraction(0)) + m * a
        return total


def _sign(a: Fraction) -> int:
    return (a > 0) - (a < 0)


def _dot(row: Vector, w: Vector) -> Fraction:
    return sum((a * w.get(column, Fraction(0)) for column, a in row.items()), Fraction(0))


def _plus(a: Vector, column: Any, times: int) -> Vector:
    """The sum with a multiple of a column, without zeros."""
    total = a | {column: a.get(column, Fraction(0)) + times}
    return {key: value for key, value in total.items() if value}


def _echelon(rows: Any) -> dict[Any, Vector]:
    """A basis of the row space by pivot; each vector is 1 at its own pivot."""
    basis: dict[Any, Vector] = {}
    for row in rows:
        rest = _reduced(row, basis)
        if rest:
            pivot, lead = next(iter(rest.items()))
            basis[pivot] = {column: a / lead for column, a in rest.items()}
    return basis


def _reduced(row: Vector, basis: dict[Any, Vector]) -> Vector:
    """The remainder of a row after elimination by the pivots, in the order in which they were found."""
    rest = {column: a for column, a in row.items() if a}
    for pivot, vector in basis.items():
        times = rest.get(pivot, Fraction(0))
        if times:
            for column, a in vector.items():
                rest[column] = rest.get(column, Fraction(0)) - times * a
            rest = {column: a for column, a in rest.items() if a}
    return rest
