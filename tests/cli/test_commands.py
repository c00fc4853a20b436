"""From files to models, predictions and reports, as a person or a program gets them."""

import click
import numpy as np
import pytest

import rosenblatt
from rosenblatt.cli import COMMANDS, main
from rosenblatt.data import read
from rosenblatt.models.files.registry import TRAINABLE
from tests.cli.running import PETS, as_json, done, error, run


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    command = main.get_command(click.Context(main), name)
    text = done(name, "--help")
    assert "Example" in text
    assert f"rosenblatt {name}" in text
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_train_reports_how_it_ended_the_bound_and_the_test(pets):
    text = done("train", pets, "--no-search")
    for part in ("separated", "no run from zero can make more than", "held out", "precision", "→ cat", "weight"):
        assert part in text


def test_train_as_json_says_the_same(pets):
    report = as_json("train", pets, "--no-search")
    assert report["algorithm"] == "AveragedPerceptron"
    assert report["ending"]["status"] == "separated"
    assert report["ending"]["mistakes"] <= report["ending"]["mistake_bound"]
    assert (report["training"]["examples"], report["test"]["examples"]) == (64, 16)
    assert report["test"]["confusion"] == [[8, 0], [0, 8]]
    assert [entry["recall"] for entry in report["test"]["classes"]] == [1, 1]
    assert report["notes"] == ["the target is 'pet', the last column (--target overrides this)"]


def test_the_same_seed_holds_out_the_same_examples_and_another_does_not(pets):
    assert as_json("train", pets) == as_json("train", pets)
    mistakes = {as_json("train", pets, "--random-state", seed)["ending"]["mistakes"] for seed in range(5)}
    assert len(mistakes) > 1


def test_a_model_trained_by_the_command_line_is_the_library_s(tmp_path, pets):
    loaded = read(str(pets))
    done("train", pets, "--holdout", "0", "--no-scale", "--no-search", "-o", tmp_path / "m.json")
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
    assert scored[0] == "prediction,score of dog"
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
    assert "has no parameter 'colour'" in error("train", "@and", "--set", "colour=1", code=2)
    assert "eta0 must be" in error("train", "@and", "--set", "eta0=-1", "--set", "warm_start=false", code=2)


@pytest.mark.parametrize("algorithm", TRAINABLE)
def test_every_algorithm_trains_saves_and_predicts(tmp_path, pets, algorithm):
    report = as_json("train", pets, "--scale", "--algorithm", algorithm.lower(), "-o", tmp_path / "m.json")
    assert report["algorithm"] == algorithm
    assert report["test"]["accuracy"] > 0.9
    assert as_json("evaluate", tmp_path / "m.json", pets)["accuracy"] > 0.9


def test_weights_that_grow_beyond_all_numbers_are_refused_with_a_remedy(tmp_path):
    (tmp_path / "huge.csv").write_text("a,y\n1e308,0\n-1e308,1\n1e308,1\n-1e308,0\n")
    assert "--scale" in error("train", tmp_path / "huge.csv", "--no-scale")
    done("train", tmp_path / "huge.csv")


def test_standard_input_and_output_are_files(tmp_path, pets):
    model = run("train", "-", "-o", "-", stdin=PETS).stdout
    (tmp_path / "m.json").write_text(model)
    assert as_json("evaluate", tmp_path / "m.json", "-", stdin=PETS)["errors"] == 0


def test_svmlight_goes_all_the_way(tmp_path):
    lines = [f"{'+1' if k % 2 else '-1'} 1:{k % 7} {2 + k % 2}:1\n" for k in range(60)]
    (tmp_path / "a.svm").write_text("".join(lines))
    report = as_json("train", tmp_path / "a.svm", "-o", tmp_path / "m.json", "--scale")
    assert report["ending"]["status"] in ("separated", "error_reached")  # as the algorithm that was chosen calls it
    assert any("begin at 1" in note for note in report["notes"])
    (tmp_path / "b.svm").write_text("0 3:1\n0 2:1\n")
    assert done("predict", tmp_path / "m.json", tmp_path / "b.svm") == "prediction\n1\n-1\n"
    (tmp_path / "c.svm").write_text("0 3:1\n0 9:1\n")
    assert "line 2: index 9 is beyond the 3 features" in error("predict", tmp_path / "m.json", tmp_path / "c.svm")


def test_train_reports_the_algorithm_its_reason_and_suggestions():
    report = done("train", "@iris")
    assert "Perceptron(" in report
    assert "chosen" in report
    assert "2 of 3 pairs of classes are linearly separable" in report
    assert "1 of 3 classes are separable from all others" in done("train", "@iris", "--multi-class", "ova")
    assert "certificate_" not in report
    assert "--scale, since the columns differ" in done("train", "@breast_cancer", "--no-scale")
    assert as_json("train", "@iris")["test"]["accuracy"] >= 0.9


def test_a_circuit_is_saved_inspected_and_predicts(tmp_path):
    place = tmp_path / "xor.json"
    done("boolean", "a xor b", "-o", place)
    assert "h1 = " in done("inspect", place)
    assert as_json("inspect", place)["circuit"]["kind"] == "network"
    assert as_json("predict", place, "-", stdin="b,a\n0,1\n1,1\n")["predictions"] == [1, 0]
    assert "must be 0 or 1" in error("predict", place, "-", stdin="a,b\n0,2\n")


def test_a_stream_trains_the_model_of_the_file_and_states_its_disk_use(tmp_path, pets):
    models = [tmp_path / "stream.json", tmp_path / "memory.json"]
    plan = ["--algorithm", "Perceptron", "--max-iter", "3"]
    said = run("train", pets, *plan, "--stream", "--test", pets, "--cache-folder", tmp_path, "-o", models[0])
    assert said.exit_code == 0, said.output
    assert f"the examples take about 2.9 kB of disk in {tmp_path} until the training is over" in said.stderr
    assert "test " in said.stdout
    done("train", pets, *plan, "--order", "cyclic", "--holdout", "0", "-q", "-o", models[1])
    one, other = (rosenblatt.models.read(model) for model in models)
    np.testing.assert_array_equal(one.fitted["coef_"], other.fitted["coef_"])
    assert one.features == other.features
    assert sorted(path.name for path in tmp_path.glob("*rosenblatt*")) == []
    assert "would read at random places" in error("train", pets, "--stream", "--order", "shuffle")
    assert "no folder" in error("train", pets, "--stream", "--cache-folder", tmp_path / "absent")
    assert "--cache-folder is for --stream" in error("train", pets, "--cache-folder", tmp_path, code=2)


@pytest.mark.parametrize("way", [[], ["--stream"], ["--algorithm", "Perceptron"], ["--algorithm", "PocketPerceptron"]])
@pytest.mark.parametrize("name", ["max_iter", "max_steps", "max_updates", "patience", "random_state"])
def test_a_count_of_more_than_64_bits_is_refused_on_every_road(pets, tmp_path, name, way):
    model = tmp_path / "model.json"
    said = error("train", pets, *way, "--set", f"{name}={2**64}", "-o", model, code=2)
    assert f"Perceptron: {name} must be" in said
    assert f"< 2**64; got {2**64}." in said or "< 2**64, a RandomState or None; got" in said
    assert not model.exists()


@pytest.mark.parametrize("wrong", ["tie=maybe", "init=ones", "max_iter=0", "max_iter=1.5", "eta0=-1", "max_error=2"])
def test_a_value_that_the_estimator_refuses_is_refused_by_train_in_the_same_words(pets, wrong):
    name, _, value = wrong.partition("=")
    assert f"AveragedPerceptron: {name} must be" in error("train", pets, "--set", wrong, code=2)
    assert value in error("train", pets, "--set", wrong, code=2)
