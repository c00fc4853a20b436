"""Existence by its definition, on tiny designs: exact linear programs over the cone of directions of recession.

Shares nothing with the package but the meaning of the arguments.
"""

from fractions import Fraction

import numpy as np

from tests.theory.oracle import largest


class Design:
    """A random design: everything that `theory.existence` takes, as plain lists."""

    def __init__(self, rng, family):
        n, columns = int(rng.integers(2, 8)), int(rng.integers(0, 4))
        self.family = family
        self.effects = rng.integers(0, 3, (n, int(rng.integers(1, 4)))).tolist() if rng.random() < 0.4 else None
        self.fit_intercept = family == "ordinal" or bool(rng.random() < 0.7)
        if not columns and self.effects is None and not self.fit_intercept:
            columns = 1
        values = rng.integers(-2, 3, (n, columns)) * (rng.random((n, columns)) < 0.8)
        self.X = [[float(a) / 4 if rng.random() < 0.2 else int(a) for a in row] for row in values]
        if columns > 1 and rng.random() < 0.2:
            for row in self.X:
                row[0] = 2 * row[1]
        self.weights = rng.integers(0, 4, n).tolist() if rng.random() < 0.2 else None
        self.y = self._response(rng, n)
        weights = self.weights or [1] * n
        if not any(weight and outcomes(self, y) for weight, y in zip(weights, self.y, strict=True)):
            self.weights = None
            self.y[0] = [1] * len(self.y[0]) if isinstance(self.y[0], list) else self.y[0]

    def _response(self, rng, n):
        if self.family == "poisson":
            return (rng.integers(0, 3, n) * (rng.random(n) < 0.7)).tolist()
        if self.family in ("binomial", "log-binomial"):
            kind = rng.random()
            if kind < 0.6:
                return rng.integers(0, 2, n).tolist()
            if kind < 0.8:
                return rng.choice([0.0, 0.5, 1.0], n, p=[0.4, 0.2, 0.4]).tolist()
            return rng.integers(0, 3, (n, 2)).tolist()
        classes = int(rng.integers(2, 4))
        if rng.random() < 0.8:
            labels = np.concatenate([np.arange(classes), rng.integers(0, classes, max(0, n - classes))])[:n]
            return rng.permutation(labels).tolist() if len(set(labels.tolist())) > 1 else [0, 1][:n]
        counts = rng.integers(0, 2, (n, classes)) * rng.integers(0, 3, (n, classes))
        counts[rng.integers(0, n, classes), np.arange(classes)] += 1
        return counts.tolist()

    def arguments(self):
        given = {"family": self.family, "fit_intercept": self.fit_intercept, "weights": self.weights}
        effects = None if self.effects is None else np.array(self.effects)
        X = np.array(self.X, dtype=object) if self.X[0] else None
        return (X, self.y), given | {"fixed_effects": effects}

    def __repr__(self):
        return repr(vars(self))


def outcomes(design, y):
    """The outcomes that an observation has, as places; for classes, among those that occur in y."""
    if isinstance(y, list):
        return [k for k, count in enumerate(y if design.family in ("multinomial", "ordinal") else y[::-1]) if count]
    if design.family == "poisson":
        return [int(y > 0)]
    if design.family in ("binomial", "log-binomial"):
        return [k for k, has in enumerate([y < 1, y > 0]) if has]
    return [sorted(set(design.y)).index(y)]


def system(design):
    """The rows (observation, coefficients, whether an equality), and how many coefficients are reported."""
    table = isinstance(design.y[0], list)
    classes = len(design.y[0]) if table else len(set(design.y))
    effects = design.effects or [[] for _ in design.y]
    levels = [sorted({row[e] for row in effects}) for e in range(len(effects[0]))]
    intercept = design.fit_intercept and not effects[0] and design.family != "ordinal"
    rows = []
    for i, y in enumerate(design.y):
        if design.weights is not None and not design.weights[i]:
            continue
        x = [Fraction(1)] * intercept + [Fraction(a) for a in design.X[i]]
        dummies = [Fraction(level == effects[i][e]) for e, known in enumerate(levels) for level in known]
        has = outcomes(design, y)
        minus = [-a for a in x + dummies]
        zeros = [Fraction(0)] * len(minus)
        if design.family == "binomial" and has:
            rows.append((i, x + dummies if 1 in has else minus, len(has) == 2))
        elif design.family in ("poisson", "log-binomial") and has:
            rows.append((i, minus, 1 in has))
        elif design.family == "multinomial":
            for c in has:
                for k in range(classes):
                    if k != c:
                        blocks = [x + dummies if b == c else minus if b == k else zeros for b in range(1, classes)]
                        reported = [a for block in blocks for a in block[: len(x)]]
                        rows.append((i, reported + [a for block in blocks for a in block[len(x) :]], False))
        elif design.family == "ordinal":
            # The first level of an effect that takes part is its reference.
            for c in has:
                for threshold, sign in ((c, 1), (c - 1, -1)):
                    if 0 <= threshold < classes - 1:
                        theta = [Fraction(sign * (t == threshold)) for t in range(classes - 1)]
                        rows.append((i, theta + [-sign * a for a in x + dummies], False))
    count = len(design.X[0]) + intercept
    if design.family == "multinomial":
        count *= classes - 1
    if design.family == "ordinal":
        count += classes - 1
        rows = [(i, _without_references(design, levels, row), fixed) for i, row, fixed in rows]
    return rows, count


def _without_references(design, levels, row):
    """Drops the columns of the reference levels: of each effect, the level of the first observation taking part."""
    first = next(
        i
        for i in range(len(design.y))
        if (design.weights is None or design.weights[i]) and outcomes(design, design.y[i])
    )
    begin = len(row) - sum(map(len, levels))
    kept = row[:begin]
    for e, known in enumerate(levels):
        reference = known.index(design.effects[first][e])
        kept += [row[begin + k] for k in range(len(known)) if k != reference]
        begin += len(known)
    return kept


def expected(design):
    """The separated and the partly separated observations, and the status of each coefficient."""
    rows, count = system(design)
    can_be_positive = _over_cone(rows)
    positive = [not fixed and can_be_positive(row) for _, row, fixed in rows]
    hit = {i for (i, _, _), yes in zip(rows, positive, strict=True) if yes}
    whole = hit - {i for (i, _, _), yes in zip(rows, positive, strict=True) if not yes}
    statuses = [_status(can_be_positive, len(rows[0][1]), {j: 1}) for j in range(count)]
    return sorted(whole), sorted(hit - whole), statuses


def _over_cone(rows):
    """A function that decides whether gain·w > 0 somewhere on the cone of directions of recession."""
    cone = []
    for _, row, fixed in rows:
        cone.append([-a for a in row])
        if fixed:
            cone.append(row)

    def can_be_positive(gain):
        doubled = [[*row, *(-a for a in row)] for row in [*cone, gain]]
        return largest(doubled[-1], doubled, [0] * len(cone) + [1]) > 0  # the program bounds the gain by 1

    return can_be_positive


def _status(can_be_positive, width, coefficient):
    """The status of a sum of columns, given by their factors."""
    gain = [Fraction(coefficient.get(k, 0)) for k in range(width)]
    up, down = can_be_positive(gain), can_be_positive([-a for a in gain])
    return "undefined" if up and down else "+inf" if up else "-inf" if down else "finite"


def diverging_levels(design, references):
    """The status of each level of fixed effects that is not finite, relative to the references of its part."""
    rows, count = system(design)
    can_be_positive = _over_cone(rows)
    used = {i for i, _, _ in rows}
    levels = [sorted({row[e] for row in design.effects}) for e in range(len(design.effects[0]))]
    columns, begin = {}, count
    for block in _blocks(design):
        for e, known in enumerate(levels):
            held = references[f"effect{e}"] if design.family == "ordinal" else []
            for level in known:
                if level not in held:
                    columns[block, e, level] = begin
                    begin += 1
    found = {f"{block}effect{e}": {} for block in _blocks(design) for e in range(len(levels))}
    for (block, e, level), column in columns.items():
        if not any(design.effects[i][e] == level for i in used):
            continue
        contrast = {column: 1}
        for other in [] if design.family == "ordinal" else range(1, len(levels)) if e == 0 else [e]:
            held = columns[block, other, _reference(design, used, references[f"effect{other}"], other, e, level)]
            contrast[held] = contrast.get(held, 0) + (1 if e == 0 else -1)
        status = _status(can_be_positive, len(rows[0][1]), contrast)
        if status != "finite":
            found[f"{block}effect{e}"][level] = status
    return found


def _blocks(design):
    if design.family != "multinomial":
        return [""]
    table = isinstance(design.y[0], list)
    return [f"{label}:" for label in (range(len(design.y[0])) if table else sorted(set(design.y)))][1:]


def _reference(design, used, references, other, e, level):
    """The reference of effect `other` that observations connect with this level of effect e."""
    connected = {(e, level)}
    for _ in used:
        for i in used:
            nodes = set(enumerate(design.effects[i]))
            if nodes & connected:
                connected |= nodes
    return next((held for held in references if (other, held) in connected), references[0])


def has_feasible_point(design):
    """Whether a log-binomial model has coefficients with x·w ≤ 0 everywhere and < 0 at the failures."""
    rows, _ = system(design)
    cone = [[-a for a in row] for _, row, _ in rows]
    for i, row, _ in rows:
        if 0 in outcomes(design, design.y[i]):
            doubled = [[*r, *(-a for a in r)] for r in [*cone, row]]
            if largest(doubled[-1], doubled, [0] * len(cone) + [1]) <= 0:
                return False
    return True
