import numpy as np
import pytest

from rosenblatt import Perceptron, conventions, textbook
from rosenblatt.conventions.own_dialect import _DEFAULTS, KEYS
from rosenblatt.conventions.step import misclassified
from rosenblatt.learning.parameters import TABLE
from tests.cli.running import as_json, run

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


@pytest.mark.parametrize("tie", conventions.TIES)
@pytest.mark.parametrize("y", [-1, 1])
def test_many_scores_are_mistakes_by_the_rule_for_one(tie, y):
    scores = [0.0, -0.0, 1.0, -1.0, 5e-324]
    many = misclassified(np.array(scores), np.full(5, y > 0), tie)
    assert many.tolist() == [conventions.is_mistake(score, y, tie) for score in scores]


def test_a_lecturers_own_dialect_walks_its_own_path(tmp_path):
    file = tmp_path / "cs101.toml"
    file.write_text('name = "CS101"\ntie = "positive"\neta0 = 2\nmax_iter = 50\n[sources]\ntie = "slide 3"\n')
    own = conventions.load(file)
    assert str(own) == "zero counts as +1, start at 0, in turn, step 2, at most 50 epochs (CS101)"
    assert own.sources["tie"] == "slide 3"
    AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    fitted = Perceptron(**own).fit(*AND)
    assert fitted.n_mistakes_ == Perceptron(**conventions.L0).fit(*AND).n_mistakes_ == 11
    assert textbook.run(textbook.online(*AND, **own)).w.tolist() == [*fitted.intercept_, *fitted.coef_[0]]


def test_the_keys_of_a_dialect_are_parameters_and_take_what_the_parameters_take():
    values = [True, False, 0, 1, 3, 0.5, -1, 2.5, "positive", "cyclic", "shuffle", "zeros", "random", "", [1]]
    for key, kind in KEYS.items():
        assert TABLE[key].kind.means.removeprefix("None or ") == kind.means
        for value in values:
            assert kind.includes(value) == TABLE[key].kind.includes(value), (key, value)
    assert set(_DEFAULTS) <= set(KEYS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tie = 3", "tie must be one of 'mistake', 'positive', 'negative'; got 3"),
        ('ties = "positive"', "a dialect has no 'ties'; it has fit_intercept, eta0"),
        ("eta0 = 0", "own: eta0 must be a finite number > 0; got 0"),
        ("tie = ", "is not a TOML file"),
        ("name = 3", "a dialect needs a name"),
        ('[sources]\ntie = "slide 3"', "sources has 'tie', which the dialect own does not choose"),
        ("sources = 3", r"\[sources\] must have one line of text per key"),
    ],
)
def test_a_wrong_file_is_a_sentence_with_its_name(tmp_path, text, said):
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=said) as raised:
        conventions.load(file)
    assert "own" in str(raised.value)


def test_a_dialect_is_found_by_name_or_file():
    assert conventions.find("L1_offset") is conventions.L1_offset
    with pytest.raises(ValueError, match=r"there is no dialect 'L9'; there are: L0, L1, .*toml"):
        conventions.find("L9")


def test_train_and_trace_take_a_dialect_of_a_file(tmp_path):
    file = tmp_path / "cs101.toml"
    file.write_text('name = "CS101"\ntie = "positive"\n')
    told = run("train", "@and", "--convention", file, "--json")
    assert "the rule: zero counts as +1, start at 0, in turn (CS101)" in told.stderr
    assert '"status": "separated"' in told.stdout
    assert as_json("trace", "@and", "--convention", file)["mistakes"] == 11
    assert "there is no dialect 'L7'" in run("trace", "@and", "--convention", "L7").stderr
    assert "No such file" in run("train", "@and", "--convention", "none.toml").stderr
