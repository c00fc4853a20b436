"""Every command, from files to what a person or a program gets."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np
import pytest

import rosenblatt
from rosenblatt.cli import COMMANDS, main
from rosenblatt.data import read
from rosenblatt.models.registry import TRAINABLE
from tests.cli.running import as_json, done, error, run

PETS = "weight,colour,pet\n" + "".join(
    f"{4 + k % 5},{'black' if k % 3 else 'white'},cat\n{20 + k % 9},{'brown' if k % 2 else 'black'},dog\n"
    for k in range(40)
)


@pytest.fixture
def pets(tmp_path):
    (tmp_path / "pets.csv").write_text(PETS)
    return tmp_path / "pets.csv"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_with_an_example(command):
    text = done(command.name, "--help")
    assert "Example" in text
    assert f"rosenblatt {command.name}" in text
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_train_reports_how_it_ended_the_bound_and_the_test(pets):
    text = done("train", pets)
    for part in ("separated", "no run from zero can make more than", "held out", "precision", "→ cat", "weight"):
        assert part in text


def test_train_as_json_says_the_same(pets):
    report = as_json("train", pets)
    assert report["algorithm"] == "Perceptron"
    assert report["ending"]["status"] == "separated"
    assert report["ending"]["mistakes"] <= report["ending"]["mistake_bound"]
    assert (report["training"]["examples"], report["test"]["examples"]) == (64, 16)
    assert report["test"]["confusion"] == [[8, 0], [0, 8]]
    assert [entry["recall"] for entry in report["test"]["classes"]] == [1, 1]
    assert report["notes"] == ["the target is 'pet', the last column (--target says otherwise)"]


def test_the_same_seed_holds_out_the_same_examples_and_another_does_not(pets):
    assert as_json("train", pets) == as_json("train", pets)
    mistakes = {as_json("train", pets, "--random-state", seed)["ending"]["mistakes"] for seed in range(5)}
    assert len(mistakes) > 1


def test_a_model_trained_by_the_command_line_is_the_library_s(tmp_path, pets):
    loaded = read(str(pets))
    done("train", pets, "--holdout", "0", "-o", tmp_path / "m.json")
    library = rosenblatt.Perceptron().fit(loaded.X, loaded.labels.y)
    record = rosenblatt.models.read(tmp_path / "m.json")
    np.testing.assert_array_equal(record.fitted["coef_"], library.coef_)
    assert record.training["fingerprint"] == loaded.fingerprint


def test_predict_and_evaluate_use_the_columns_by_name(tmp_path, pets):
    model = tmp_path / "m.json"
    done("train", pets, "--scale", "-o", model)
    (tmp_path / "new.csv").write_text("colour,weight\nblack,25\nwhite,4\n")
    assert done("predict", model, tmp_path / "new.csv") == "prediction\ndog\ncat\n"
    assert as_json("predict", model, tmp_path / "new.csv") == {"predictions": ["dog", "cat"]}
    scored = done("predict", model, tmp_path / "new.csv", "--scores").splitlines()
    assert scored[0] == "prediction,score1"
    assert float(scored[1].split(",")[1]) > 0 > float(scored[2].split(",")[1])
    done("predict", model, tmp_path / "new.csv", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "prediction\ndog\ncat\n"
    assert as_json("evaluate", model, pets)["accuracy"] == 1
    assert "100.00% right" in done("evaluate", model, pets)


def test_evaluate_below_the_accuracy_asked_for_exits_with_3(tmp_path):
    done("train", "@and", "-o", tmp_path / "m.json")
    assert run("evaluate", tmp_path / "m.json", "@xor", "--min-accuracy", "0.5").exit_code == 3
    assert run("evaluate", tmp_path / "m.json", "@and", "--min-accuracy", "1").exit_code == 0


def test_strict_exits_with_3_unless_separated_or_as_asked():
    assert run("train", "@xor", "--strict").exit_code == 3
    assert run("train", "@and", "--strict").exit_code == 0
    assert run("train", "@xor", "--strict", "--max-error", "1").exit_code == 3  # it cycles first
    assert run("train", "@and", "--strict", "--max-error", "0.5").exit_code == 0


def test_a_test_file_and_folds_take_the_place_of_the_part_held_out(pets):
    report = as_json("train", pets, "--test", pets)
    assert (report["training"]["examples"], report["test"]["examples"]) == (80, 80)
    report = as_json("train", pets, "--cv", "4")
    assert report["cross_validation"] == [1, 1, 1, 1]
    assert report["test"] is None
    assert "± 0.00% over 4 folds" in done("train", pets, "--cv", "4")
    assert run("train", pets, "--cv", "4", "--test", pets).exit_code == 2


def test_conventions_and_parameters_reach_the_algorithm():
    and_under = {
        name: as_json("train", "@and", "--convention", name)["ending"]["mistakes"] for name in ("L0", "L2", "L3")
    }
    assert and_under["L0"] == 11
    assert and_under["L3"] == 10
    parameters = as_json("train", "@and", "--order", "cyclic", "--no-intercept", "--max-iter", 3)["parameters"]
    assert (parameters["order"], parameters["fit_intercept"], parameters["max_iter"]) == ("cyclic", False, 3)
    assert as_json("train", "@and", "--set", "class_weight=balanced")["parameters"]["class_weight"] == "balanced"
    assert "has no parameter 'colour'" in error("train", "@and", "--set", "colour=1")
    assert "eta0 must be" in error("train", "@and", "--set", "eta0=-1", "--set", "warm_start=false")


@pytest.mark.parametrize("algorithm", TRAINABLE)
def test_every_algorithm_trains_saves_and_predicts(tmp_path, pets, algorithm):
    report = as_json("train", pets, "--scale", "--algorithm", algorithm.lower(), "-o", tmp_path / "m.json")
    assert report["algorithm"] == algorithm
    assert report["test"]["accuracy"] > 0.9
    assert as_json("evaluate", tmp_path / "m.json", pets)["accuracy"] > 0.9


def test_weights_that_grow_beyond_all_numbers_are_refused_with_a_remedy(tmp_path):
    (tmp_path / "huge.csv").write_text("a,y\n1e308,0\n-1e308,1\n1e308,1\n-1e308,0\n")
    assert "--scale" in error("train", tmp_path / "huge.csv")


def test_standard_input_and_output_are_files(tmp_path, pets):
    model = run("train", "-", "-o", "-", stdin=PETS).stdout
    (tmp_path / "m.json").write_text(model)
    assert as_json("evaluate", tmp_path / "m.json", "-", stdin=PETS)["errors"] == 0


def test_svmlight_goes_all_the_way(tmp_path):
    lines = [f"{'+1' if k % 2 else '-1'} 1:{k % 7} {2 + k % 2}:1\n" for k in range(60)]
    (tmp_path / "a.svm").write_text("".join(lines))
    report = as_json("train", tmp_path / "a.svm", "-o", tmp_path / "m.json", "--scale")
    assert report["ending"]["status"] == "separated"
    assert any("begin at 1" in note for note in report["notes"])
    (tmp_path / "b.svm").write_text("0 3:1\n0 2:1\n")
    assert done("predict", tmp_path / "m.json", tmp_path / "b.svm") == "prediction\n1\n-1\n"
    (tmp_path / "c.svm").write_text("0 3:1\n0 9:1\n")
    assert "line 2: index 9 is beyond the 3 features" in error("predict", tmp_path / "m.json", tmp_path / "c.svm")


def test_inspect_shows_weights_by_name_ending_and_data(tmp_path, pets):
    done("train", pets, "-o", tmp_path / "m.json")
    text = done("inspect", tmp_path / "m.json")
    for part in ("Perceptron, 2 classes: cat, dog", "separated", "pets.csv", "xxh64:", "weight", "offset"):
        assert part in text
    shown = as_json("inspect", tmp_path / "m.json", "--top", 1)
    assert len(shown["top_weights"]["dog (positive) against cat"]) == 1
    assert shown["ending"]["status"] == "separated"
    assert shown["features"]["columns"][1] == {"name": "colour", "vocabulary": ["black", "brown", "white"]}


def test_trace_walks_lecture_4_as_printed():
    told = as_json("trace", "@lecture4", "--start=-5,0,1")
    assert [step["w"] for step in told["steps"][:2]] == [[-5, 0, 1], [-6, -2, -5]]
    assert told["steps"][2]["score"] == -51
    assert (told["status"], told["mistakes"], told["w"]) == ("separated", 7, [-6, 7, -2])
    table = done("trace", "@lecture4", "--start=-5,0,1")
    assert "w = [w0, w x1, w x2]" in table
    assert "[-6, -2, -5]" in table
    assert len(as_json("trace", "@and", "--mistakes-only", "--convention", "L3")["steps"]) == 10


def test_trace_needs_two_classes_or_a_positive_one():
    assert "--positive setosa" in error("trace", "@iris")
    told = as_json("trace", "@iris", "--positive", "setosa", "--steps", 7)
    assert (told["positive"], len(told["steps"]), told["status"]) == ("setosa", 7, "max_steps")
    assert "3 weights are needed" in run("trace", "@and", "--start", "1").stderr


def test_datasets_lists_and_prints(tmp_path):
    assert "@spirals" in done("datasets")
    assert {"@iris", "@digits", "@and", "@xor", "@spirals", "@lecture4"} <= {d["name"] for d in as_json("datasets")}
    (tmp_path / "iris.csv").write_text(done("datasets", "@iris"))
    assert read(str(tmp_path / "iris.csv")).X.tolist() == read("@iris").X.tolist()
    assert run("datasets", "@nope").exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell):
    assert "_ROSENBLATT_COMPLETE" in done("completion", shell)


def test_names_of_built_in_sets_complete():
    from click.shell_completion import ShellComplete

    complete = ShellComplete(main, {}, "rosenblatt", "_ROSENBLATT_COMPLETE")
    assert [item.value for item in complete.get_completions(["train"], "@i")] == ["@iris"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["train", "nowhere.csv"], "nowhere.csv: No such file or directory"),
        (["train", "/"], "is a folder"),
        (["train", "@and", "--plot", "x.gif"], "png, svg, pdf"),
        (["train", "@iris", "--plot", "x.png", "--pair", "a,b"], "--pair takes two features"),
        (["train", "@iris", "--plot", "x.png", "--plot-kind", "margins"], "drawn for 2 classes"),
        (["train", "@and", "-o", "/nowhere/m.json"], "there is no folder /nowhere"),
        (["train", "@and", "--cv", "3"], "need at least 2 examples of every class"),
        (["predict", "nowhere.json", "@and"], "nowhere.json: No such file"),
        (["inspect", "/dev/null"], "not whole JSON"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    assert message in error(*args)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ["train"],
        ["train", "@nope"],
        ["train", "@and", "--order", "sideways"],
        ["train", "@and", "--algorithm", "Oracle"],
        ["train", "@and", "--set", "x"],
        ["train", "@and", "--quiet", "--json"],
        ["train", "@and", "--delimiter", "xy"],
        ["fly"],
    ],
)
def test_wrong_usage_exits_with_2(args):
    assert run(*args).exit_code == 2


def test_an_interrupt_exits_with_130(monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("rosenblatt.data.reading.begin", interrupted)
    result = run("train", "@and")
    assert result.exit_code == 130
    assert "nothing was written" in result.stderr


@pytest.mark.slow
def test_ctrl_c_exits_with_130_in_one_line(tmp_path):
    command = [sys.executable, "-m", "rosenblatt", "train", "-", "-o", str(tmp_path / "m.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2)  # by then it waits for its input
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().strip() == b"Interrupted: nothing was written."
    assert not (tmp_path / "m.json").exists()


def test_a_place_where_nothing_can_be_written_is_refused_before_any_work(tmp_path):
    assert "no folder" in error("train", "@iris", "-o", tmp_path / "absent" / "m.json")
    assert "is a folder" in error("train", "@iris", "-o", tmp_path)


def test_train_says_which_algorithm_and_why_and_what_to_try():
    report = done("train", "@iris")
    assert "AveragedPerceptron" in report
    assert "chosen" in report
    assert "1 of 3 classes are separable from all others" in report
    assert "certificate_" not in report
    assert "--scale" in done("train", "@breast_cancer")
    assert as_json("train", "@iris")["test"]["accuracy"] >= 0.9


def test_a_circuit_is_saved_inspected_and_predicts(tmp_path):
    place = tmp_path / "xor.json"
    done("boolean", "a xor b", "-o", place)
    assert "h1 = " in done("inspect", place)
    assert as_json("inspect", place)["circuit"]["kind"] == "network"
    assert as_json("predict", place, "-", stdin="b,a\n0,1\n1,1\n")["predictions"] == [1, 0]
    assert "an input is 0 or 1" in error("predict", place, "-", stdin="a,b\n0,2\n")


def test_a_stream_trains_the_model_of_the_file_and_states_its_disk_use(tmp_path, pets):
    models = [tmp_path / "stream.json", tmp_path / "memory.json"]
    plan = ["--algorithm", "Perceptron", "--max-iter", "3"]
    said = run("train", pets, *plan, "--stream", "--test", pets, "--cache-folder", tmp_path, "-o", models[0])
    assert said.exit_code == 0, said.output
    assert "MB on disk" in said.stderr
    assert "test " in said.stdout
    done("train", pets, *plan, "--order", "cyclic", "--holdout", "0", "-q", "-o", models[1])
    one, other = (rosenblatt.models.read(model) for model in models)
    np.testing.assert_array_equal(one.fitted["coef_"], other.fitted["coef_"])
    assert one.features == other.features
    assert sorted(path.name for path in tmp_path.glob("*rosenblatt*")) == []
    assert "would jump" in error("train", pets, "--stream", "--order", "shuffle")
    assert "no folder" in error("train", pets, "--stream", "--cache-folder", tmp_path / "absent")
    assert "--cache-folder is for --stream" in error("train", pets, "--cache-folder", tmp_path, code=2)


def test_a_missing_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "rosenblatt.plot.picture", raising=False)
    assert "pip install 'rosenblatt[plot]'" in error("train", "@and", "--plot", tmp_path / "x.png")


def test_python_m_rosenblatt_is_the_command_line():
    told = subprocess.run(
        [sys.executable, "-m", "rosenblatt", "train", "@and", "--json"], capture_output=True, check=True
    )
    assert json.loads(told.stdout)["ending"]["status"] == "separated"


def test_help_imports_neither_numpy_nor_scikit_learn():
    code = "import sys, rosenblatt.cli; print([m for m in ('numpy', 'sklearn', 'pyarrow', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_file_of_svmlight_is_being_parsed_before_numpy_is_imported(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:1\n0 2:1\n")
    code = (
        "import sys; from rosenblatt.cli import train; from rosenblatt.models import registry; "
        f"from rosenblatt.data.reading import begin; examples = begin({str(tmp_path / 't.svm')!r}); "
        "print('numpy' in sys.modules, examples().X.shape)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False (2, 2)\n"


@pytest.mark.slow
def test_killing_train_at_any_moment_leaves_the_old_model_or_the_new(tmp_path):
    """Fifty times: `rosenblatt train … -o` over an existing model, kill -9 at a random moment, and read what is there.

    Half of the moments are spread over the whole run, half over its end, where the files are written. Two data sets
    take turns, so that a whole model of either can be told from a mixture.
    """
    rng = np.random.default_rng(0)
    n = 300_000  # features, so that the weights stand beside the document and take a while to write
    model = tmp_path / "m.json"
    for name, sign in (("a", 1), ("b", -1)):
        lines = [f"{sign * (-1) ** k:+d} {k + 1}:1 {n}:{k % 7}\n" for k in range(200)]
        (tmp_path / f"{name}.svm").write_text("".join(lines))

    def command(name):
        train = ["train", str(tmp_path / f"{name}.svm"), "--quiet", "--max-iter", "1", "-o", str(model)]
        return [sys.executable, "-m", "rosenblatt", *train]

    whole, seconds = {}, []
    for name in ("a", "b", "a"):
        begin = time.perf_counter()
        subprocess.run(command(name), check=True)
        seconds.append(time.perf_counter() - begin)
        whole[name] = rosenblatt.models.read(model)
    outcomes = []
    for k in range(50):
        name, last = ("b", "a") if k % 2 else ("a", "b")
        rosenblatt.models.write(whole[last], model)
        process = subprocess.Popen(command(name))
        time.sleep(min(seconds) * float(rng.uniform(0, 1.2) if k % 4 < 2 else rng.uniform(0.7, 1.2)))
        process.kill()
        process.wait()
        found = rosenblatt.models.read(model)
        source = Path(found.training["source"]).stem
        outcomes.append(source == name)
        np.testing.assert_array_equal(found.fitted["coef_"], whole[source].fitted["coef_"])
    assert any(outcomes)
    assert not all(outcomes)


def test_check_explains_and_verifies():
    result = run("check", "@xor")
    assert result.exit_code == 0
    assert "inseparable" in result.stdout
    assert "it holds" in result.stdout
    assert run("check", "@xor", "--strict").exit_code == 3
    assert run("check", "@and", "--strict").exit_code == 0


def test_check_prints_its_certificate_as_json():
    found = json.loads(run("check", "@iris", "--positive", "setosa", "--json").stdout)
    assert (found["kind"], found["verified"]) == ("separable", True)
    assert all(isinstance(int(weight), int) for weight in found["weights"])


def test_check_names_the_classes_it_knows():
    result = run("check", "@iris", "--positive", "rose")
    assert result.exit_code == 1
    assert "it has setosa, versicolor, virginica" in result.stderr


def test_boolean_finds_the_unit_or_the_refutation(tmp_path):
    assert "(-2, -1]" in run("boolean", "a and b").stdout
    drawing = tmp_path / "xor.svg"
    result = run("boolean", "a xor b", "--network", str(drawing))
    assert "2 hidden units" in result.stdout
    assert drawing.read_text().startswith("<svg")
    assert json.loads(run("boolean", "majority(a, b, c)", "--json").stdout)["is_threshold"]


def test_a_broken_expression_points_at_the_character():
    result = run("boolean", "a and ) b")
    assert result.exit_code == 1
    assert "character 7" in result.stderr
