"""Files in the wrong place, and files for prediction without a column of the model: the message says what to do."""

import gzip
import shlex
import subprocess

import pytest

from tests.cli.running import PETS, done, error


@pytest.fixture
def pets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pets.csv").write_text(PETS)
    done("train", "pets.csv", "-q", "-o", "model.json")


@pytest.mark.usefixtures("pets")
def test_data_in_the_place_of_the_model_gives_the_order_of_the_arguments():
    message = error("predict", "pets.csv", "model.json")
    assert message == (
        "Error: pets.csv: this is not a model file of rosenblatt, which is JSON. The model comes before the data: "
        "rosenblatt predict MODEL FILE."
    )


@pytest.mark.usefixtures("pets")
@pytest.mark.parametrize("command", [["train"], ["train", "--stream"], ["look"], ["predict", "model.json"]])
def test_a_model_in_the_place_of_data_is_refused_with_a_command_that_shows_it(command):
    message = error(*command, "model.json")
    assert message.startswith("Error: model.json is a model of rosenblatt, not data. Show it with rosenblatt ")
    suggested = message.removesuffix(".").partition("Show it with rosenblatt ")[2]
    assert "weight" in done(*shlex.split(suggested))


@pytest.mark.usefixtures("pets")
def test_a_file_without_a_column_of_the_model_may_get_it_with_empty_cells(tmp_path):
    (tmp_path / "new.csv").write_text("colour,extra\nblack,1\n")
    assert error("predict", "model.json", "new.csv") == (
        "Error: new.csv has no column 'weight', which the model needs. Add the column; its cells may be empty. It has: "
        "colour, extra."
    )
    (tmp_path / "new.csv").write_text("colour,extra,weight\nblack,1,\n")
    assert done("predict", "model.json", "new.csv").split()[0] == "prediction"


@pytest.mark.usefixtures("pets")
def test_a_column_that_differs_only_in_case_is_named(tmp_path):
    (tmp_path / "new.csv").write_text("COLOUR,weight\nblack,1\n")
    assert "Rename 'COLOUR', which differs only in upper and lower case." in error("predict", "model.json", "new.csv")


@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_a_comment_between_rows_gets_a_command_that_leaves_it_out(tmp_path, monkeypatch, road):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my log.csv").write_text(PETS.replace("\n", "\n# restarted\n", 3).removeprefix("# "))
    message = error("train", "my log.csv", *road)
    assert "columns where the header has 3. It is a comment." in message
    command = message.partition("Remove the lines that begin with # (")[2].partition(").")[0]
    subprocess.run(["sh", "-c", command], check=True)
    assert "#" not in (tmp_path / "clean.csv").read_text()
    assert "80 examples" in done("train", "clean.csv")


def test_a_comment_in_a_compressed_file_gets_no_command_that_would_search_the_compressed_bytes(tmp_path):
    text = PETS.replace("\n", "\n# restarted\n", 3)
    (tmp_path / "log.csv.gz").write_bytes(gzip.compress(text.encode()))
    for message in (error("train", tmp_path / "log.csv.gz"), error("check", "-", stdin=text.encode())):
        assert message.strip().endswith("It is a comment. Remove the lines that begin with #.")


@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_quotes_with_a_backslash_are_named(tmp_path, road):
    (tmp_path / "t.csv").write_text('name,x,label\n"say \\"hi\\", you",1,yes\n"b",2,no\n')
    assert 'line 2: 4 columns where the header has 3. It has the quotes \\", which are not read.' in error(
        "train", tmp_path / "t.csv", *road
    )
