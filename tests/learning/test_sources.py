"""One table of parameters: every way to set one refuses the same values with the same message, and fits the same model.

The ways: an estimator in Python; `train --set`, and the option of its own; `--stream`; `--workers` (whose tasks run in
this process); `trace` and `animate`, whose run is the textbook's; a request to the lab.
"""

import json
import warnings
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import rosenblatt
import rosenblatt.distributed
from rosenblatt import textbook
from rosenblatt.cli.options.parameter_options import SETTABLE, WITH_OPTION, option_name
from rosenblatt.cli.options.textbook_options import TEXTBOOK
from rosenblatt.data import read
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.lab.requests.run_requests import ALGORITHMS as LAB_ALGORITHMS
from rosenblatt.lab.requests.run_requests import RunRequest
from rosenblatt.learning.parameters import ALGORITHMS, TABLE, defaults_of, kind_of, names_of
from rosenblatt.models import read as read_model
from rosenblatt.textbook.problem import Limits
from tests.cli.running import as_json, error, run
from tests.distributed.inline import without_cluster
from tests.estimators.test_endings import unscaled_table

X = [[0.0, 3.0], [1.0, 1.0], [2.0, 5.0], [4.0, 1.0], [5.0, 2.0], [3.0, 4.0], [6.0, 0.5], [0.5, 2.5]]
Y = [0, 0, 0, 1, 1, 0, 1, 1]

#: Values of every type; of each parameter, those that its kind does not include are illegal.
VALUES: list[Any] = [
    -1,
    0,
    0.5,
    1.5,
    2,
    2**64,
    -(2**40),
    True,
    False,
    None,
    "nonsense",
    [1],
    {"a": -1},
    float("nan"),
    1e999,
]

ILLEGAL = [
    (algorithm, name, value)
    for name, parameter in TABLE.items()
    for algorithm in (parameter.algorithms[0], *parameter.kinds)
    for value in VALUES
    if not kind_of(name, algorithm).includes(value)
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("sources") / "t.csv"
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for (a, b), y in zip(X, Y, strict=True)))
    return str(path)


@pytest.fixture(autouse=True)
def cluster_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cluster(monkeypatch)


def message_in_python(algorithm: str, name: str, value: Any) -> str:
    with pytest.raises(ValueError, match=f"{name} must be") as refused:
        getattr(rosenblatt, algorithm)(**{name: value}).fit(X, Y)
    return str(refused.value)


def test_the_table_has_illegal_values_for_every_parameter() -> None:
    assert {name for _, name, _ in ILLEGAL} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_an_illegal_value_gets_the_same_message_from_every_source(table: str, name: str) -> None:
    for algorithm, _, value in (case for case in ILLEGAL if case[1] == name):
        expected = message_in_python(algorithm, name, value)
        text = json.dumps(value)
        train = ["train", table, "--algorithm", algorithm]
        ways: list[list[str]] = [["--set", f"{name}={text}"]]
        if name in WITH_OPTION:
            ways.append([f"{option_name(name)}={text}"])
        for way in ways:
            for where in ([], ["--stream"], ["--workers", "1"]):
                assert error(*train, *way, *where, code=2) == f"Error: {expected}"
        if algorithm == "Perceptron":
            for command in (["trace", table], ["animate", table, "--out", "run.gif"]):
                for way in ways if name in TEXTBOOK else ways[:1]:
                    assert error(*command, *way, code=2) == f"Error: {expected}"
        for lab_name in (lab for lab, (estimator, _) in LAB_ALGORITHMS.items() if estimator == algorithm):
            request = {"x": X, "y": Y, "rule": {"algorithm": lab_name, name: value}}
            with pytest.raises(RefusedError) as refused:
                RunRequest.of(request)
            assert str(refused.value) == expected


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_unknown_parameter_gets_the_same_message_from_every_source(table: str, algorithm: str) -> None:
    expected = f"Error: {algorithm} has no parameter 'colour'; it has {', '.join(names_of(algorithm))}."
    for where in ([], ["--stream"], ["--workers", "1"]):
        assert error("train", table, "--algorithm", algorithm, "--set", "colour=1", *where, code=2) == expected


def test_a_trace_takes_the_parameters_of_the_textbook_s_algorithm() -> None:
    names = {*signature(textbook.online).parameters, *Limits._fields}
    assert set(TEXTBOOK) == names - {"X", "y", "start", "sample_weight", "limits"}
    refused = error("trace", "@and", "--set", "multi_class=ovo", code=2)
    assert "multi_class is not a parameter of the textbook's algorithm; those are max_iter," in refused


def test_the_parameters_of_a_trace_reach_the_run_and_the_rule_that_is_shown(table: str) -> None:
    given = [
        "--convention",
        "L3",
        "--order",
        "shuffle",
        "--tie",
        "mistake",
        "--set",
        "margin=0.5",
        "--random-state",
        "3",
    ]
    shown = as_json("trace", table, *given, "--no-intercept", "--max-iter", "4")
    assert shown["rule"] == (
        "zero is always a mistake, start at 0, shuffled again in each epoch, through the origin, step 2, margin 0.5, "
        "at most 4 epochs (L3 with tie, order, fit_intercept, margin, max_iter changed)"
    )
    signs = np.where(np.array(Y) == 1, 1, -1)
    expected = textbook.run(
        textbook.online(
            X, signs, fit_intercept=False, eta0=2.0, tie="mistake", order="shuffle", margin=0.5, max_iter=4,
            max_steps=100, random_state=3,
        )
    )  # fmt: skip
    assert shown["w"] == expected.w.tolist()
    assert shown["mistakes"] == expected.n_mistakes


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["init=random", "init_scale=2"], "random start of at most 2"),
        (["step=pa1", "C=0.1"], "passive-aggressive (pa1, C = 0.1)"),
    ],
)
def test_the_rule_of_a_trace_names_the_parameters_that_change_it(table: str, settings: list[str], words: str) -> None:
    shown = as_json("trace", table, *(part for setting in settings for part in ("--set", setting)))
    assert words in shown["rule"]


#: Where each algorithm trains.
SOURCES = {
    "memory": ALGORITHMS,
    "stream": ("Perceptron", "AveragedPerceptron", "PocketPerceptron", "BatchPerceptron"),
    "workers": ("Perceptron", "AveragedPerceptron", "PocketPerceptron"),
}
OPTIONS = {"memory": [], "stream": ["--stream"], "workers": ["--workers", "1"]}


def fitted_in_python(algorithm: str, given: dict[str, Any], table: str) -> Any:
    loaded = read(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(rosenblatt, algorithm)(**given).fit(loaded.X, loaded.labels.y)


def outcome_in_python(algorithm: str, given: dict[str, Any], table: str) -> Any:
    """The fitted estimator, or the message with which it refuses the parameters."""
    try:
        return fitted_in_python(algorithm, given, table)
    except ValueError as error:
        return str(error)


def trained(source: str, algorithm: str, given: dict[str, Any], table: str, model: Path, *more: str) -> Result:
    """Trains by a command. Every parameter is given by --set, so that nothing is chosen by the command."""
    settings = [part for name, value in given.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    prepared = ["--no-scale", "--quiet", "-o", model]
    return run("train", table, "--algorithm", algorithm, *settings, *OPTIONS[source], *prepared, *more)


def assert_same_model(source: str, algorithm: str, model: Path, expected: Any) -> None:
    found = read_model(model).fitted
    # Over shards the pocket takes the weights after whole epochs only.
    prefix = "last_" if (source, algorithm) == ("workers", "PocketPerceptron") else ""
    weights = "dual_coef_" if algorithm == "KernelPerceptron" else "coef_"
    for name in (f"{prefix}{weights}", f"{prefix}intercept_", "status_", "n_iter_", "n_mistakes_"):
        np.testing.assert_array_equal(found[name], getattr(expected, name), err_msg=f"{source} {name}")


@pytest.mark.parametrize(
    ("source", "algorithm"), [(source, name) for source, names in SOURCES.items() for name in names]
)
def test_the_defaults_of_the_table_give_the_estimator_s_model_from_every_source(
    table: str, tmp_path: Path, source: str, algorithm: str
) -> None:
    given = {name: value for name, value in defaults_of(algorithm).items() if name in SETTABLE}
    if source == "stream" and "order" in given:
        given["order"] = "cyclic"
    if source == "workers" and "ratchet" in given:
        given["ratchet"] = True  # the pocket of a cluster
    result = trained(source, algorithm, given, table, tmp_path / "model.json")
    assert result.exit_code == 0, result.output
    assert_same_model(source, algorithm, tmp_path / "model.json", fitted_in_python(algorithm, given, table))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_command_without_parameters_gives_the_model_of_an_estimator_without_parameters(
    table: str, tmp_path: Path, algorithm: str
) -> None:
    result = trained("memory", algorithm, {}, table, tmp_path / "model.json")
    assert result.exit_code == 0, result.output
    assert_same_model("memory", algorithm, tmp_path / "model.json", fitted_in_python(algorithm, {}, table))


def legal_values(name: str, algorithm: str) -> list[Any]:
    """Values of every type and all choices, where they are allowed. A random_state of None draws a new seed."""
    kind = kind_of(name, algorithm)
    values = [value for value in (*VALUES, *kind.choices) if kind.includes(value)]
    return [value for value in values if (name, value) != ("random_state", None)]


#: Values of other parameters without which a parameter has no effect.
TOGETHER: dict[str, dict[str, Any]] = {
    "C": {"step": "pa1"},
    "init_scale": {"init": "random"},
    "degree": {"kernel": "poly"},
    "coef0": {"kernel": "poly"},
    "early_stopping": {"validation_fraction": 0.5},
    "validation_fraction": {"early_stopping": True},
    "n_iter_no_change": {"early_stopping": True, "validation_fraction": 0.5},
    "budget_policy": {"budget": 2},
}


@pytest.mark.parametrize("name", [name for name in TABLE if name in SETTABLE])
def test_a_legal_value_gives_the_same_model_or_the_same_error_from_every_source(
    table: str, tmp_path: Path, name: str
) -> None:
    algorithm = TABLE[name].algorithms[0]
    compared = 0
    for value in legal_values(name, algorithm):
        given = {"max_iter": 20, **TOGETHER.get(name, {}), name: value}
        for source in (source for source, names in SOURCES.items() if algorithm in names):
            chosen = given if source == "memory" else {"order": "cyclic", **given}
            if source == "workers" and algorithm == "PocketPerceptron":
                chosen = {"ratchet": True, **given}
            result = trained(source, algorithm, chosen, table, tmp_path / "model.json")
            refusal = result.stderr.strip().splitlines()[-1] if result.exit_code else ""
            expected = outcome_in_python(algorithm, chosen, table)
            if isinstance(expected, str):
                assert expected in refusal, (source, chosen, refusal)
                continue
            if result.exit_code and source != "memory":  # what this source cannot do, which names the parameter
                assert refusal.startswith("Error: "), result.output
                assert name in refusal, (source, chosen, refusal)
                continue
            assert result.exit_code == 0, result.output
            assert_same_model(source, algorithm, tmp_path / "model.json", expected)
            compared += 1
    assert compared


@pytest.mark.parametrize("scale", ["--scale", "--no-scale"])
def test_cross_validation_gives_the_same_folds_and_the_same_model_from_every_source(tmp_path: Any, scale: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((90, 3)) * [1, 100, 0.01]
    y = np.where(x @ [1, 0.01, 100] + rng.standard_normal(90) > 0, "a", np.where(x[:, 0] > 0, "b", "c"))
    path = tmp_path / "t.csv"
    path.write_text("u,v,w,y\n" + "".join(f"{u},{v},{w},{label}\n" for (u, v, w), label in zip(x, y, strict=True)))
    train = ["train", path, "--cv", "3", "--order", "cyclic", "--max-iter", "4", scale]
    found = [as_json(*train, *options) for options in OPTIONS.values()]
    assert len(set(found[0]["cross_validation"])) > 1
    for other in found[1:]:
        assert other["cross_validation"] == found[0]["cross_validation"]
        assert other["training"]["confusion"] == found[0]["training"]["confusion"]


@pytest.mark.parametrize("name", LAB_ALGORITHMS)
def test_the_lab_fits_what_the_estimator_fits(name: str) -> None:
    from rosenblatt.lab.jobs.fit_job import fit_points

    request = RunRequest.of({"x": X, "y": Y, "rule": {"algorithm": name}})
    found, _ = fit_points(request.estimator, request.parameters, request.points.X, request.points.y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(rosenblatt, request.estimator)(**request.parameters).fit(X, Y)
    np.testing.assert_array_equal(found["coef_"], expected.coef_)
    np.testing.assert_array_equal(found["intercept_"], expected.intercept_)


@pytest.mark.slow
def test_a_long_fit_is_checked_for_a_separator_from_every_source(tmp_path: Path) -> None:
    X, y = unscaled_table(separable=True)
    rows = list(zip(X.tolist(), y.tolist(), strict=True))
    csv, svm = tmp_path / "t.csv", tmp_path / "t.svm"
    names = ",".join(f"x{j}" for j in range(X.shape[1]))
    csv.write_text(f"{names},y\n" + "".join(",".join(map(repr, x)) + f",{label}\n" for x, label in rows))
    svm.write_text(
        "".join(f"{label} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x, 1)) + "\n" for x, label in rows)
    )
    given = {"order": "cyclic", "max_steps": 5_100_000}  # beyond the check
    found = []
    for table in (csv, svm):
        for source in ("memory", "stream"):
            result = trained(source, "Perceptron", given, str(table), tmp_path / "model.json", "--holdout", "0")
            assert result.exit_code == 0, result.output
            fitted = read_model(tmp_path / "model.json").fitted
            assert fitted["certificates_"][0] is not None
            found.append(fitted["coef_"])
    assert all(np.array_equal(found[0], other) for other in found[1:])
