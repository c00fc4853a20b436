"""`train --tune`: a wider search, over kernels, votes and runs of words."""

from itertools import pairwise

import numpy as np
import pytest

from rosenblatt.data import ReadOptions, read
from rosenblatt.models import Plan, train
from rosenblatt.models.training.selection import tuning
from rosenblatt.models.training.trainer import best_of
from tests.cli.running import as_json, done, run


@pytest.fixture
def rings(tmp_path):
    """A disk and the ring around it, which no plane separates."""
    random = np.random.default_rng(0)
    angle, radius = random.uniform(0, 2 * np.pi, 160), np.repeat([0.5, 2.0], 80) + 0.2 * random.normal(size=160)
    rows = zip(radius * np.cos(angle), radius * np.sin(angle), np.repeat(["in", "out"], 80), strict=True)
    path = tmp_path / "rings.csv"
    path.write_text("a,b,place\n" + "".join(f"{a},{b},{place}\n" for a, b, place in rows))
    return str(path)


@pytest.fixture
def few_candidates(monkeypatch):
    """Fewer kernels, so that the test is short."""
    monkeypatch.setattr(tuning, "_GAMMAS", (1.0,))
    monkeypatch.setattr(tuning, "_MARGINS", ())
    monkeypatch.setattr(tuning, "_STEP_SIZES", ())


@pytest.mark.usefixtures("few_candidates")
def test_a_curved_boundary_gets_a_kernel_and_the_model_predicts_by_it(rings, tmp_path):
    trained = train(read(rings), Plan(tune=True, held_out=0.25))
    assert trained.record.estimator == "KernelPerceptron"
    assert trained.held_out.accuracy == 1.0
    linear = train(read(rings), Plan(held_out=0.25))
    assert linear.held_out.accuracy < 0.8
    assert {each.algorithm for each in trained.search.tried} == {
        "AveragedPerceptron",
        "Perceptron",
        "PocketPerceptron",
        "VotedPerceptron",
        "KernelPerceptron",
    }
    assert "successive halving" in trained.why


@pytest.mark.usefixtures("few_candidates")
def test_halving_compares_fewer_and_fewer_candidates_on_more_and_more_folds(rings, monkeypatch):
    monkeypatch.setattr(tuning, "_FIRST_EXAMPLES", 1)
    seen = []
    run_trials = tuning.Trials.run
    monkeypatch.setattr(
        tuning.Trials, "run", lambda self, some, folds: (seen.append(len(some)), run_trials(self, some, folds))[1]
    )
    found = train(read(rings), Plan(tune=True)).search
    assert len(seen) == 5
    assert all(after == max(before // 2, 4) for before, after in pairwise(seen))
    assert len({each.candidate.rule + each.algorithm for each in found.tried}) == seen[0]


def test_texts_get_the_runs_of_words_that_tell_the_classes_apart(tmp_path):
    random = np.random.default_rng(0)
    lines = ["said,mood"]
    for _ in range(150):
        first, second = random.permutation(["good", "bad"])
        filler = " ".join(random.choice(["it", "is", "was", "the", "film", "food"], size=4))
        lines.append(f"{filler} not {first} but {second} {filler},{second}")
    path = tmp_path / "moods.csv"
    path.write_text("\n".join(lines) + "\n")
    datasets = [read(str(path), ReadOptions(text=["said"], hash_bits=12, ngrams=n)) for n in (1, 2)]
    best = best_of(datasets, Plan())
    assert best is datasets[1]
    assert best_of(datasets[::-1], Plan()) is datasets[1]


@pytest.mark.parametrize(
    ("others", "word"),
    [
        (["--algorithm", "Perceptron"], "--algorithm"),
        (["--no-search"], "--no-search"),
        (["--max-iter", "5"], "max_iter"),
        (["--set", "C=0.5"], "C"),
    ],
)
def test_parameters_that_tune_searches_for_cannot_be_given(rings, others, word):
    refused = run("train", rings, "--tune", *others)
    assert refused.exit_code == 2
    assert f"leave {word} out" in refused.stderr


@pytest.mark.usefixtures("few_candidates")
def test_the_command_reports_the_best_settings_and_saves_the_model(rings, tmp_path):
    model = tmp_path / "m.json"
    said = done("train", rings, "--tune", "-o", model)
    assert "others (--json lists all)" in said
    assert as_json("evaluate", model, rings)["accuracy"] > 0.95
