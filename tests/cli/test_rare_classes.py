"""A class of one example, such as a misspelt label, does not take search, test and probabilities from the others."""

import pytest

from tests.cli.running import as_json, done, error

ROWS = "".join(f"{k % 9},{'low' if k % 9 < 4 else 'high'}\n" for k in range(90))
TABLE = f"size,level\n{ROWS}3,lwo\n"


@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_a_class_of_one_example_leaves_search_test_and_probabilities(tmp_path, road):
    (tmp_path / "t.csv").write_text(TABLE)
    report = as_json("train", tmp_path / "t.csv", *road, "-o", tmp_path / "m.json")
    assert report["tried"]
    assert report["test"]["examples"] == 18
    assert any("fewer than 3 examples are hardly learned and tested: 'lwo'" in note for note in report["notes"])
    header, first, *_ = done("predict", tmp_path / "m.json", tmp_path / "t.csv", "--proba").splitlines()
    assert header == "prediction,probability of high,probability of low,probability of lwo"
    label, _, low, misspelt = first.split(",")
    assert label == "low"
    assert float(low) > 0.8 > 0.2 > float(misspelt)


def test_a_small_table_gets_no_note_on_rare_classes(tmp_path):
    (tmp_path / "t.csv").write_text("size,level\n1,low\n2,low\n9,high\n")
    assert not any("hardly learned" in note for note in as_json("train", tmp_path / "t.csv")["notes"])


def test_folds_that_a_class_of_one_example_forbids_do_not_suggest_fewer_folds(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    message = error("train", tmp_path / "t.csv", "--cv", "3")
    assert "the smallest class has 1. Add examples of it, or leave it out." in message
