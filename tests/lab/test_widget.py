"""The widget answers a page as the server does, and says what it cannot show."""

import re

import numpy as np
import pytest

import rosenblatt.lab
from rosenblatt import data
from rosenblatt.lab.notebook import RULE
from rosenblatt.lab.page.assets import text

AND = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])


def test_its_rule_has_the_names_that_the_page_knows():
    defaults = re.search(r"DEFAULT_RULE = \{(.*?)\n\};", text("state/rules.js"), re.DOTALL)[1]
    assert set(re.findall(r"^  (\w+):", defaults, re.MULTILINE)) == {"convention", *RULE}


def test_a_lectures_choices_come_first_and_changes_last():
    widget = rosenblatt.lab.widget(*AND, convention="L3", eta0=0.5, init="zeros")
    rule = widget.recorded["sides"][0]["rule"]
    assert (rule["convention"], rule["tie"], rule["eta0"]) == ("L3", "negative", 0.5)


def test_it_answers_the_pages_questions():
    widget = rosenblatt.lab.widget(*AND)
    sent = []
    widget.send = lambda message, *_: sent.append(message)
    widget._on_message(widget, {"id": 1, "job": "catalogue", "body": {}}, [])
    widget._on_message(widget, {"id": 2, "job": "data", "body": {"name": "given", "columns": [1, 0]}}, [])
    widget._on_message(widget, {"id": 3, "job": "data", "body": {"name": "nothing"}}, [])
    assert [(message["id"], message["event"]) for message in sent] == [(1, "answer"), (2, "answer"), (3, "refused")]
    assert sent[0]["data"]["given"] == "your data"
    assert sent[1]["data"]["chosen"] == [1, 0]


def test_the_static_copy_holds_the_run_and_its_proof():
    widget = rosenblatt.lab.widget(*AND, tie="positive")
    copy = widget.static()
    assert f"rosenblatt-static-{widget.place}" in copy
    assert "sandbox" in copy
    assert widget.recorded["sides"][0]["proof"]["answer"]["margin"]["gamma_squared"] == "1/17"


def test_what_it_is_given_stays_as_it_is_and_frames_keep_their_names():
    pandas = pytest.importorskip("pandas")
    iris = data.load("iris")
    frame = pandas.DataFrame(iris.X, columns=iris.feature_names)
    before = frame.copy()
    widget = rosenblatt.lab.widget(frame, iris.y, columns=(2, 3), max_steps=500)
    assert frame.equals(before)
    assert widget.recorded["data"]["columns"] == ["petal length", "petal width"]
    assert widget.recorded["data"]["classes"] == ["setosa", "versicolor", "virginica"]


def test_it_learns_and_proves_all_columns():
    majority = data.load("majority")
    widget = rosenblatt.lab.widget(majority.X, majority.y, tie="positive", init="given", start=[1.0, 2.0, 3.0])
    side = widget.recorded["sides"][0]
    assert side["run"]["problems"][0]["start"] == [1.0, 2.0, 3.0, 0.0]
    assert side["proof"]["answer"]["kind"] == "separable"  # in two of its columns it is not
    assert widget.recorded["data"]["slice"]["means"] == [0.5, 0.5, 0.5]
    assert widget.recorded["data"]["points"][1]["v"] == majority.X[1].tolist()


@pytest.mark.parametrize(
    ("X", "y", "more", "cause"),
    [
        ([[1, np.nan], [0, 1]], [0, 1], {}, "row 0, column 1 is nan"),
        ([[1, 2], [0, 1]], [0, 0], {}, "1 classes"),
        ([[1, 2], [0, 1]], [0, 1, 1], {}, "a label for each row"),
        ([[1, 2], [0, 1]], [0, 1], {"feature_names": ["a"]}, "1 feature names and 2 columns"),
        ([[1, 2], [0, 1]], [0, 1], {"columns": (0, 5)}, "columns must be"),
        ([[1, 2], [0, 1]], [0, 1], {"convention": "L9"}, "no convention 'L9'"),
        ([[1, 2], [0, 1]], [0, 1], {"tie": "perhaps"}, "tie must be"),
    ],
)
def test_what_it_cannot_show_is_refused_with_its_cause(X, y, more, cause):
    with pytest.raises(ValueError, match=cause):
        rosenblatt.lab.widget(X, y, **more)


def test_an_unknown_part_of_the_rule_is_named():
    with pytest.raises(TypeError, match="no 'alpha'"):
        rosenblatt.lab.widget(*AND, alpha=1)
