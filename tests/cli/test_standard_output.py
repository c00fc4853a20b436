"""What goes to standard output arrives whole, or the command fails and says so."""

import json
import os
import subprocess
import sys

import pytest

BUFFERINGS = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])


def started(*args, unbuffered="", encoding="utf-8", **how):
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "rosenblatt", *map(str, args)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, **how)


def output(*args, **how):
    with started(*args, stdout=subprocess.PIPE, **how) as process:
        told, errors = process.communicate()
    assert process.returncode == 0, errors
    return told


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model and a table whose predictions, whose document and whose C are each longer than a pipe holds."""
    made = tmp_path_factory.mktemp("wide")
    (made / "rows.svm").write_text("".join(f"{k % 2} 1:{k % 2} {k % 20_000 + 2}:1\n" for k in range(40_000)))
    output("train", made / "rows.svm", "--max-iter", "1", "--quiet", "-o", made / "m.json")
    return made


COMMANDS = {
    "predict": ["predict", "m.json", "rows.svm", "--scores"],
    "train": ["train", "rows.svm", "--max-iter", "1", "--quiet", "-o", "-"],
    "export": ["export", "m.json", "--c", "-"],
    "datasets": ["datasets", "@digits"],
}
EACH = pytest.mark.parametrize("command", COMMANDS)


@pytest.mark.slow
@BUFFERINGS
@EACH
def test_a_slow_reader_of_a_non_blocking_pipe_gets_every_byte(folder, command, unbuffered):
    expected = output(*COMMANDS[command], cwd=folder)
    assert len(expected) > 100_000
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with started(*COMMANDS[command], cwd=folder, stdout=writer, unbuffered=unbuffered) as process:
        os.close(writer)
        found = b""
        while part := os.read(reader, 10_000):
            found += part
        os.close(reader)
        assert process.wait() == 0, process.stderr.read()
    assert found == expected


@pytest.mark.slow
@BUFFERINGS
@EACH
def test_a_disk_that_is_full_half_way_is_an_error(folder, command, unbuffered, tmp_path):
    resource = pytest.importorskip("resource")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    with (
        open(tmp_path / "out", "wb") as file,
        started(*COMMANDS[command], cwd=folder, stdout=file, unbuffered=unbuffered, preexec_fn=limited) as process,
    ):
        errors = process.stderr.read().decode()
        assert process.wait() == 1
    assert errors == "Error: standard output: File too large.\n"
    assert (tmp_path / "out").stat().st_size == 100_000


@pytest.mark.slow
@BUFFERINGS
@pytest.mark.parametrize(
    "command", [["predict", "m.json", "rows.svm"], ["train", "@iris"], ["--help"], ["check", "@iris", "--json"]]
)
def test_a_full_disk_is_an_error(folder, command, unbuffered):
    with open("/dev/full", "wb") as full, started(*command, cwd=folder, stdout=full, unbuffered=unbuffered) as process:
        errors = process.stderr.read().decode()
        assert process.wait() == 1
    assert errors.splitlines()[-1] == "Error: standard output: No space left on device."


def test_a_closed_standard_output_is_an_error(folder):
    with started(*COMMANDS["predict"], cwd=folder, preexec_fn=lambda: os.close(1)) as process:
        assert process.stderr.read() == b"Error: standard output: Bad file descriptor.\n"
        assert process.wait() == 1


@BUFFERINGS
def test_a_reader_that_goes_away_ends_the_command_without_a_word(folder, unbuffered):
    with started(*COMMANDS["predict"], cwd=folder, stdout=subprocess.PIPE, unbuffered=unbuffered) as process:
        assert process.stdout.read(10) == b"prediction"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "utf-16"])
def test_a_report_is_printed_in_any_encoding(tmp_path, encoding):
    told = output("train", "@digits", "--max-iter", "1", "-o", tmp_path / "m.json", encoding=encoding)
    text = told.decode("utf-8" if encoding == "ascii" else encoding)  # click takes ASCII for a wrong setting
    assert "top weights" in text
    assert (tmp_path / "m.json").exists()
    document = json.loads(output("train", "@digits", "--max-iter", "1", "--json", encoding=encoding).decode(encoding))
    assert document["source"] == "@digits"


@pytest.mark.slow
def test_a_class_that_the_encoding_lacks_is_shown_by_its_number_and_is_whole_in_json(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1,дом\n2,🏠\n" * 30, encoding="utf-8")
    told = output("train", tmp_path / "t.csv", encoding="cp1252").decode("cp1252")
    assert r"\u0434\u043e\u043c" in told
    document = json.loads(output("train", tmp_path / "t.csv", "--json", encoding="cp1252").decode("cp1252"))
    assert document["classes"] == ["дом", "🏠"]
