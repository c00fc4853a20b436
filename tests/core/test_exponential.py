"""exp and tanh of the core, compared with ball arithmetic of high precision."""

import math
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from flint import arb, ctx

from rosenblatt.core import exponentials, tangents

SMALLEST = 5e-324
LEVELS = ("baseline", "v3", "v4", "vnni")


def digest_of(level):
    """Of exp and tanh of many numbers, by another instruction set."""
    code = (
        "import hashlib, numpy as np; from rosenblatt.core import exponentials, tangents\n"
        "x = np.random.default_rng(0).integers(0, 2**64, 1_000_003, dtype=np.uint64).view(float)\n"
        "x = np.concatenate([x[~np.isnan(x)], np.linspace(-750, 715, 999_983), np.linspace(-25, 25, 999_983)])\n"
        "print(hashlib.sha256(exponentials(x).tobytes() + tangents(x).tobytes()).hexdigest())"
    )
    environment = {**os.environ, "ROSENBLATT_ISA": level}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return found.stdout


@pytest.mark.slow
def test_every_instruction_set_gives_the_same_bits():
    assert len({digest_of(level) for level in LEVELS}) == 1


def errors(found, numbers, function):
    """|found - function(x)| in units in the last place of the exact value, one per argument."""
    found_errors = []
    ctx.prec, before = 160, ctx.prec
    try:
        for value, x in zip(found.tolist(), numbers.tolist(), strict=True):
            exact = function(arb(x))
            size = abs(float(exact))
            ulp = SMALLEST if size < 2.0**-1022 else math.ulp(size)
            found_errors.append(abs(float((arb(value) - exact) / arb(ulp))))
    finally:
        ctx.prec = before
    return np.array(found_errors)


def worst(function, ours, numbers, checked):
    """The largest error: all numbers are compared with NumPy's long double, the `checked` worst ones with arb."""
    found = ours(numbers)
    wide = function[0](numbers.astype(np.longdouble))
    ulps = np.abs(found - wide) / np.spacing(np.abs(found))
    some = numbers[np.argsort(ulps)[-checked:]]
    sample = np.random.default_rng(1).choice(numbers, checked)
    chosen = np.concatenate([some, sample])
    return errors(ours(chosen), chosen, function[1]).max()


EXP = partial(worst, (np.exp, arb.exp), exponentials)
TANH = partial(worst, (np.tanh, arb.tanh), tangents)


@pytest.mark.slow
def test_exp_is_right_to_seven_tenths_of_the_last_place():
    rng = np.random.default_rng(0)
    for numbers in (
        rng.uniform(-708.39, 709.78, 1_000_000),
        rng.uniform(-1, 1, 1_000_000),
        rng.uniform(-40, 0, 1_000_000),
        rng.choice([-1, 1], 300_000) * 2.0 ** rng.uniform(-60, 9.4, 300_000),
        (np.arange(-1000, 1000) + 0.5) * math.log(2) + rng.uniform(-1e-12, 1e-12, 2000),  # where the reduction turns
        np.array([709.782712893384, -708.3964185322641, 1.0, -1.0, 1e-300, -1e-300, SMALLEST, 2.0**-54]),
    ):
        assert EXP(numbers, min(len(numbers), 20_000)) < 0.7


def test_exp_underflows_gradually():
    numbers = np.concatenate([np.random.default_rng(0).uniform(-745.2, -708.3, 200_000), [-745.13, -744.44, -708.4]])
    assert errors(exponentials(numbers[-50_000:]), numbers[-50_000:], arb.exp).max() < 1.1


@pytest.mark.slow
def test_tanh_is_right_to_one_and_a_half_units_in_the_last_place():
    rng = np.random.default_rng(0)
    for numbers in (
        rng.uniform(-25, 25, 1_000_000),
        rng.uniform(-1, 1, 1_000_000),
        rng.choice([-1, 1], 1_000_000) * 2.0 ** rng.uniform(-60, 5, 1_000_000),
        rng.choice([-1, 1], 1000) * 2.0 ** rng.uniform(-1074, -60, 1000),
        np.array([19.0615, 22.0, 18.7, 0.17328679513998632, 0.5198603854199589, SMALLEST, 1e-310, 1e300]),
    ):
        assert TANH(numbers, min(len(numbers), 20_000)) < 1.5


def test_the_ends_of_the_range_are_right():
    inf, nan = math.inf, math.nan
    x = np.array([0.0, -0.0, inf, -inf, nan, 709.8, -745.14, 1e308, -1e308, -745.13])
    np.testing.assert_array_equal(exponentials(x), [1, 1, inf, 0, nan, inf, 0, inf, 0, SMALLEST])
    x = np.array([0.0, -0.0, inf, -inf, nan, 30.0, -30.0, 1e308, SMALLEST, -SMALLEST])
    found = tangents(x)
    np.testing.assert_array_equal(found, [0, 0, 1, -1, nan, 1, -1, 1, SMALLEST, -SMALLEST])
    np.testing.assert_array_equal(np.signbit(found[:2]), [False, True])


@pytest.mark.parametrize("count", range(20))
def test_a_number_does_not_depend_on_its_neighbours(count):
    x = np.random.default_rng(count).uniform(-5, 5, count)
    for function in (exponentials, tangents):
        assert function(x).tobytes() == b"".join(function(x[k : k + 1]).tobytes() for k in range(count))


def test_both_grow_with_their_argument():
    x = np.linspace(-3, 3, 200_001)
    assert np.all(np.diff(exponentials(x)) > 0)
    assert np.all(np.diff(tangents(x)) >= 0)
    np.testing.assert_array_equal(tangents(-x), -tangents(x))
