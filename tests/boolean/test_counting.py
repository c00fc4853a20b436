import pytest

from rosenblatt.boolean import count_threshold_functions, threshold_functions
from rosenblatt.boolean.threshold.families import families
from tests.boolean.brute import least_sums


@pytest.mark.parametrize(("n", "count"), [(0, 2), (1, 4), (2, 14), (3, 104), (4, 1882), (5, 94572)])
def test_the_number_of_threshold_functions(n, count):
    assert count_threshold_functions(n) == count


@pytest.mark.slow
def test_the_number_of_threshold_functions_of_six_variables():
    assert count_threshold_functions(6) == 15028134


@pytest.mark.parametrize("n", range(5))
def test_the_iterator_yields_each_threshold_function_once(n):
    given = [tuple(f.table.tolist()) for f in threshold_functions(n)]
    assert len(given) == len(set(given))
    assert set(given) == set(least_sums(n, 3))


@pytest.mark.slow
def test_the_iterator_yields_each_threshold_function_of_five_variables_once():
    assert len({f.bits for f in threshold_functions(5)}) == 94572


@pytest.mark.parametrize(
    ("n", "largest"),
    [
        (1, 1),
        (2, 1),
        (3, 2),
        (4, 3),
        pytest.param(5, 5, marks=pytest.mark.slow),
        pytest.param(6, 9, marks=pytest.mark.slow),
    ],
)
def test_the_largest_weight_in_minimum_sum_form(n, largest):
    assert max(max(family.weights) for family in families(n)) == largest


def test_each_member_of_a_family_has_its_smallest_weights():
    for family in families(3):
        members = list(family.members())
        assert len(members) == family.size
        for table, weights in members:
            assert sum(map(abs, weights)) == least_sums(3, 2)[tuple(table.tolist())]


@pytest.mark.parametrize("n", [-1, 8])
def test_a_number_of_variables_out_of_range_raises_an_error(n):
    with pytest.raises(ValueError, match="0 to 7"):
        count_threshold_functions(n)
    with pytest.raises(ValueError, match="0 to 7"):
        threshold_functions(n)
