"""Random tiny designs of every family, against exact linear programs from the definition."""

import json
from collections import Counter

import numpy as np
import pytest

from rosenblatt import theory
from tests.theory.existence.brute_force import Design, diverging_levels, expected, has_feasible_point
from tests.theory.existence.exhaustive import EXHAUSTIVE

FAMILIES = ["binomial", "multinomial", "ordinal", "poisson", "log-binomial"]
DESIGNS = 5000 if EXHAUSTIVE else 60


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_separated_observations_and_statuses_are_those_of_exact_linear_programs(family):
    rng = np.random.default_rng(FAMILIES.index(family))
    kinds = Counter()
    for _ in range(DESIGNS):
        design = Design(rng, family)
        data, options = design.arguments()
        if family == "log-binomial" and not has_feasible_point(design):
            with pytest.raises(ValueError, match="needs an intercept"):
                theory.existence(*data, **options)
            continue
        found = theory.existence(*data, **options)
        separated, partly, statuses = expected(design)
        assert found.separated.tolist() == separated, design
        assert found.partly_separated.tolist() == partly, design
        assert list(found.coefficients.values()) == statuses, design
        assert found.exists == (not separated and not partly), design
        if design.effects is not None and not found.exists:
            assert found.diverging_levels == diverging_levels(design, found.reference_levels), design
        certificate = json.loads(json.dumps(found.to_dict()))
        given = {"weights": design.weights, "fixed_effects": design.effects}
        assert theory.verify_existence(certificate, design.X, design.y, **given), design
        kinds[found.kind] += 1
    assert min(kinds[kind] for kind in ("overlap", "quasi-complete", "complete")) >= DESIGNS // 20
