"""Data for the plane: built-in sets by name, text as people paste it, two columns of a wider table."""

import numpy as np
import pytest

from rosenblatt import data
from rosenblatt.lab.jobs.pasted_tables import from_message, read_text, table_of, to_message, without_options
from rosenblatt.lab.jobs.service import JOBS, Service
from tests.lab.test_running import asked, unpacked


@pytest.mark.parametrize("name", data.names())
def test_every_built_in_set_can_be_shown(name):
    event, answer = asked("data", name=name)
    assert event == "answer", answer
    assert len(unpacked(answer["x"])) == 2 * len(unpacked(answer["y"]))
    assert unpacked(answer["y"]).max() < len(answer["classes"])


def test_two_columns_of_a_wider_set_are_the_ones_asked_for():
    event, answer = asked("data", name="iris", columns=[3, 0])
    assert event == "answer"
    np.testing.assert_array_equal(unpacked(answer["x"]).reshape(-1, 2), data.load("iris").X[:, [3, 0]])


def test_standardized_columns_have_mean_zero_and_deviation_one():
    X = unpacked(asked("data", name="wine", columns=[0, 12], standardize=True)[1]["x"]).reshape(-1, 2)
    np.testing.assert_allclose([X.mean(axis=0), X.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "@iris", "-", "", None, 3, ["iris"], "iris\0"])
def test_a_name_never_becomes_a_path(name):
    event, answer = asked("data", name=name)
    assert event == "refused"
    assert "no built-in data set" in answer["message"]


@pytest.mark.parametrize("columns", [[0], [0, 4], [-1, 0], ["0", "1"], [0.0, 1], None, [True, 0]])
def test_columns_that_do_not_exist_are_refused(columns):
    event, answer = asked("data", name="iris", columns=columns)
    assert event == "refused"
    assert "columns" in answer["message"]


def test_the_given_table_is_there_only_if_one_was_given():
    assert asked("data", name="given")[0] == "refused"
    table = from_message(to_message(table_of(data.read("@iris"))))
    shown = JOBS["data"](Service(table), {"name": "given", "columns": [0, 1]}, lambda progress: None)
    np.testing.assert_array_equal(unpacked(shown["x"]).reshape(-1, 2), data.load("iris").X[:, :2])


@pytest.mark.parametrize(
    "text",
    [
        "x1,x2,class\n5,7,a\n2,6,b\n",
        "5,7,a\n2,6,b",
        "5;7;a\n2;6;b\n",
        "5\t7\ta\r\n2\t6\tb\r\n",
        "class,x1,x2\na,5,7\nb,2,6\n",
        "\ufeffx1,x2,class\n5,7,a\n2,6,b\n",
        '"x1","x2","class"\n"5","7","a"\n"2","6","b"\n',
    ],
)
def test_text_is_read_as_people_paste_it(text):
    table = read_text(text, "pasted text")
    assert table.X.tolist() == [[5, 7], [2, 6]]
    assert [table.classes[code] for code in table.codes] == ["a", "b"]


@pytest.mark.parametrize("header", ["x,y,kind", "kind,x,y,label", "X,Y,label", "label,x,y", "x,class,y"])
def test_beside_x_a_column_y_is_a_coordinate(header):
    names = header.split(",")
    columns = [["1", "2"] if name.lower() in "xy" else ["red", "blue"] for name in names]
    table = read_text("\n".join([header, *(",".join(row) for row in zip(*columns, strict=True))]), "pasted text")
    assert table.classes == ["blue", "red"]
    assert {name.lower() for name in table.columns} >= {"x", "y"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x1,x2,class\n5,7,a\n2,oops,b\n" + "1,2,a\n" * 5, "line 3"),
        ("x1,x2,class\n5,7,a\n2,6\n", "line 3"),
        ("x1,x2,class\n5,7,a\n,6,b\n", "line 3"),
        ("", "empty"),
        ("x1,x2,class\n", "no rows"),
        ("class\na\nb\n", "no columns"),
        ("x1,x2,class\n" + "1,2,a\n" * 10_001, "at most 10,000"),
        ("x1,x2,y\n" + "".join(f"1,2,{k}\n" for k in range(11)), "column 'y': 11 different labels in 11 rows"),
        ("x1,x2,y\n" + "".join(f"1,2,{k}\n" for k in range(11)) * 2, "11 classes; the lab shows at most 10"),
    ],
)
def test_broken_text_is_refused_with_its_place_and_without_the_command_lines_words(text, words):
    event, answer = asked("text", text=text, name="mine.csv")
    assert event == "refused"
    assert words in answer["message"]
    assert "--" not in answer["message"]


def test_advice_for_the_command_line_is_left_out():
    assert (
        without_options("a, line 1: looks like data. Pass --no-header, or give names.") == "a, line 1: looks like data."
    )
    assert (
        without_options("the target is 'y', by its name (--target overrides this)") == "the target is 'y', by its name"
    )
