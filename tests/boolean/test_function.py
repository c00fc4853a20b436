import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.boolean import BooleanFunction
from tests.boolean.brute import functions, rows


def test_the_first_variable_is_the_most_significant_and_row_0_comes_first():
    f = BooleanFunction("a and not b")
    assert f.inputs().tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert (f.bits, f.hex, f.minterms, f.table.tolist()) == ("0010", "2", [2], [False, False, True, False])


@given(functions(0, 6))
def test_every_source_gives_the_same_function(f):
    n = f.n_variables
    assert BooleanFunction.from_table(f.bits) == f
    assert BooleanFunction.from_hex(f.hex, n) == f
    assert BooleanFunction.from_minterms(f.minterms, n) == f
    assert BooleanFunction.from_callable(lambda *row: f(*row), f.variables) == f
    assert BooleanFunction.from_dict(json.loads(json.dumps(f.to_dict()))) == f
    X, y = f.inputs(), f.table.astype(int)
    mixed = np.random.default_rng(0).permutation(np.repeat(np.arange(len(X)), 2))
    assert BooleanFunction.from_data(X[mixed], y[mixed]) == f
    np.testing.assert_array_equal(f.evaluate(X), y)


def test_argument_names_of_a_callable_and_columns_of_a_frame_become_variables():
    assert BooleanFunction(lambda rain, sun: rain and not sun) == BooleanFunction("rain and not sun")
    assert BooleanFunction(lambda *row: sum(row) >= 2, 3) == BooleanFunction("x1 and x2 or x1 and x3 or x2 and x3")
    frame = pd.DataFrame({"p": [0, 1, 0, 1], "q": [True, False, False, True]})
    assert BooleanFunction.from_data(frame, [1, 1, 0, 0]) == BooleanFunction("p xor q")


def test_missing_rows_of_data_are_named_or_filled():
    with pytest.raises(ValueError, match=r"1 of the 4 rows are missing, the first is \(1, 0\)"):
        BooleanFunction.from_data([[0, 0], [0, 1], [1, 1]], [0, 1, 1])
    assert BooleanFunction.from_data([[0, 0], [0, 1], [1, 1]], [0, 1, 1], missing=1).bits == "0111"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: BooleanFunction([]), "is empty"),
        (lambda: BooleanFunction.from_table(""), "is empty"),
        (lambda: BooleanFunction([0, 1, 1]), "3 rows, which is not a power of two; 1 variables need 2, 2 need 4"),
        (lambda: BooleanFunction([0, 1, 2, 0]), "has 2 in row 2"),
        (lambda: BooleanFunction([0.0, 0.5]), "has .*0.5.* in row 1"),
        (lambda: BooleanFunction.from_table("01x0"), "'x' at position 2"),
        (lambda: BooleanFunction([[0, 1], [1, 0]]), "one-dimensional"),
        (lambda: BooleanFunction([0] * 2**17), "17 variables are too many"),
        (lambda: BooleanFunction([0, 1], ["a", "b"]), "1 variables but 2 names"),
        (lambda: BooleanFunction([0, 1, 1, 0], ["a", "a"]), "'a' is given twice"),
        (lambda: BooleanFunction("a or b", 2), "only a callable takes a number"),
        (lambda: BooleanFunction.from_hex("6g"), "'g' at position 1"),
        (lambda: BooleanFunction.from_hex(""), "no digits"),
        (lambda: BooleanFunction.from_hex("66", 2), "2 digits; 2 variables need 1"),
        (lambda: BooleanFunction.from_hex("4", 1), "beyond the 2 rows"),
        (lambda: BooleanFunction.from_hex("666"), "12 rows, which is not a power of two"),
        (lambda: BooleanFunction.from_minterms([4], 2), "no row 4; 2 variables have the rows 0 to 3"),
        (lambda: BooleanFunction.from_minterms([], 17), "17 variables are too many"),
        (lambda: BooleanFunction(lambda *args: 1), "give the variables or their number"),
        (lambda: BooleanFunction.from_data([[0, 2]], [1]), "X has 2 in row 0, column 1"),
        (lambda: BooleanFunction.from_data([[0], [0]], [0, 1]), r"row 1 of X gives \(0,\) the value 1; an earlier row"),
        (lambda: BooleanFunction.from_data([[0], [1]], [0, 3]), r"y\[1\] is .*3"),
        (lambda: BooleanFunction.from_data([[0], [1]], [0]), "y must have 2 values"),
        (lambda: BooleanFunction.from_data(np.zeros((1, 17)), [0]), "17 variables are too many"),
        (lambda: BooleanFunction("a and b").restrict(c=1), "no variable 'c'; there are: a, b"),
        (lambda: BooleanFunction("a and b").restrict(a=2), "a is set to 2"),
        (lambda: BooleanFunction("a and b").reordered(["a", "c"]), "not an order"),
        (lambda: BooleanFunction("a and b").extended(["a"]), "b would be lost"),
        (lambda: BooleanFunction("a and b").evaluate([[0, 1, 1]]), "rows of 2 values"),
        (lambda: BooleanFunction("a and b").evaluate([[0, 7]]), r"has 7 in row 0, column 1 \(b\)"),
        (lambda: BooleanFunction.from_dict({"kind": "network"}), "stored as 'network'"),
    ],
)
def test_bad_input_is_refused_with_cause_and_place(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_call_takes_all_values_in_order_or_by_name():
    f = BooleanFunction("a and not b")
    assert (f(1, 0), f(b=0, a=1), f(1, 1)) == (1, 1, 0)
    for call in (lambda: f(1, b=0), lambda: f(a=1), lambda: f(a=1, c=0)):
        with pytest.raises(TypeError, match="a, b"):
            call()


@given(functions(0, 4))
def test_tables_are_read_only_and_inputs_unchanged(f):
    given_table = f.table.copy()
    BooleanFunction(given_table)
    assert given_table.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        f.table[0] = True


def test_equality_ignores_the_order_of_variables_but_not_their_names():
    f, g = BooleanFunction("a and not b"), BooleanFunction("not b and a")
    assert f == g
    assert hash(f) == hash(g)
    assert f != f.renamed(["b", "a"])
    assert f != BooleanFunction("a and not b", ["a", "b", "c"])
    assert f != "a and not b"


@given(functions(1, 5))
def test_shannon_expansion_rebuilds_a_function_from_its_restrictions(f):
    name = f.variables[-1]
    x = BooleanFunction(name)
    low, high = f.restrict({name: 0}), f.restrict({name: 1})
    assert ((x & high) | (~x & low)) == f
    assert f.restrict(dict.fromkeys(f.variables, 1)).bits == str(f(*[1] * f.n_variables))


@given(functions(0, 4), st.randoms())
def test_reordering_renames_columns_not_values(f, random):
    order = list(f.variables)
    random.shuffle(order)
    g = f.reordered(order)
    for row in rows(f.n_variables):
        named = dict(zip(f.variables, row, strict=True))
        assert g(*[named[name] for name in order]) == f(*row)


@given(functions(0, 4))
def test_directions_essential_variables_and_chow_parameters_are_as_defined(f):
    n = f.n_variables
    for i, name in enumerate(f.variables):
        changes = {f(*row[:i], 1, *row[i + 1 :]) - f(*row[:i], 0, *row[i + 1 :]) for row in rows(n)}
        expected = None if {1, -1} <= changes else max(changes, key=abs)
        assert f.directions[name] == expected
        assert (name in f.essential_variables) == (changes != {0})
    true = [row for row in rows(n) if f(*row)]
    assert f.chow_parameters == (len(true), *(sum(row[i] for row in true) for i in range(n)))
    assert f.is_unate == (None not in f.directions.values())
    ordered = [(a, b) for a in rows(n) for b in rows(n) if all(x <= y for x, y in zip(a, b, strict=True))]
    assert f.is_monotone == all(f(*a) <= f(*b) for a, b in ordered)
    assert f.reduced().variables == f.essential_variables
    assert f.reduced().extended(f.variables) == f


def test_constants_have_no_variables_unless_given():
    assert BooleanFunction("1").n_variables == 0
    assert BooleanFunction("1")() == 1
    assert repr(BooleanFunction("0")) == "<BooleanFunction of no variables: 0>"
    assert repr(BooleanFunction([0, 1] * 32)) == "<BooleanFunction of x1, x2, x3, x4, x5, x6: 0x5555555555555555>"
