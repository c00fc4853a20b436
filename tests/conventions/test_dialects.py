import pytest

from rosenblatt import Perceptron, conventions

DIALECTS = [conventions.L0, conventions.L1, conventions.L1_offset, conventions.L2, conventions.L3, conventions.L4]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_dialect_is_a_set_of_parameters_and_says_where_each_stands(dialect):
    estimator = Perceptron(**dialect)
    for name, value in dialect.items():
        assert getattr(estimator, name) == value
        assert dialect.sources[name]
    assert all(repr(value) in repr(dialect) for value in dialect.values())


def test_the_lectures_tie_rules():
    ties = {dialect.name: dialect["tie"] for dialect in DIALECTS}
    assert ties == {
        "L0": "positive",
        "L1": "positive",
        "L1_offset": "positive",
        "L2": "mistake",
        "L3": "negative",
        "L4": "negative",
    }
