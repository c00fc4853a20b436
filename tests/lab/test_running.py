"""What is sent to a page replays the estimators' own runs, bit for bit."""

import base64
import json
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import rosenblatt
from rosenblatt import conventions, data
from rosenblatt.lab.encoding.packing import packed
from rosenblatt.lab.encoding.replay import weights_after_updates
from rosenblatt.lab.jobs.service import Service
from rosenblatt.lab.requests.run_requests import ALGORITHMS, RunRequest

TYPES = {"u1": "<u1", "u2": "<u2", "u4": "<u4", "f8": "<f8"}


def unpacked(array):
    return np.frombuffer(base64.b64decode(array["data"]), dtype=TYPES[array["type"]])


def asked(job, **body):
    event, answer = Service().answer(job, json.dumps(body), lambda progress: None)
    return event, json.loads(answer)


def run(X, y, **rule):
    event, answer = asked("run", x=np.asarray(X).tolist(), y=np.asarray(y).tolist(), rule=rule)
    assert event == "answer", answer
    return answer


def fitted(X, y, **rule):
    """The same through the public estimator."""
    request = RunRequest.of({"x": np.asarray(X).tolist(), "y": np.asarray(y).tolist(), "rule": rule})
    estimator = getattr(rosenblatt, request.estimator)(**request.parameters)
    start = {} if request.start is None else {"coef_init": request.start[:, 1:], "intercept_init": request.start[:, 0]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(np.asarray(X, dtype=float), y, **start)


def rivals_of(problem, m):
    """The classes that update m punished."""
    rivals = unpacked(problem["rivals"]).tolist()
    if "first_rivals" not in problem:
        return [rivals[m]]
    first = [*unpacked(problem["first_rivals"]).tolist(), len(rivals)]
    return rivals[first[m] : first[m + 1]]


def replayed_weights(problem, X, classes, y, offset):
    """The weights after each update, added up as a page does: one double after the other."""
    k, i = unpacked(problem["k"]), unpacked(problem["i"])
    scale = problem["scale"] if isinstance(problem["scale"], float) else unpacked(problem["scale"])
    joint = problem["positive"] is None
    w = np.atleast_2d(np.array(problem["start"], dtype=float)).copy()
    states = [w.copy()]
    for m in range(len(k)):
        step = scale if isinstance(scale, float) else float(scale[m])
        place = classes.index(int(y[i[m]]))
        rivals = rivals_of(problem, m) if joint else []
        moves = (
            [(place, step * len(rivals)), *((rival, -step) for rival in rivals)]
            if joint
            else [(0, step if place == problem["positive"] else -step)]
        )
        for plane, signed in moves:
            if offset:
                w[plane, 0] += signed
            for j in (0, 1):
                w[plane, j + offset] += signed * float(X[i[m]][j])
        states.append(w.copy())
    return states


points = st.lists(
    st.tuples(st.floats(-9, 9, width=32), st.floats(-9, 9, width=32), st.integers(0, 2)), min_size=3, max_size=12
).filter(lambda found: len({c for _, _, c in found}) >= 2)
rules = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from(sorted(set(ALGORITHMS) - {"batch"})),
        "tie": st.sampled_from(["mistake", "positive", "negative"]),
        "order": st.sampled_from(["cyclic", "shuffle", "misclassified"]),
        "fit_intercept": st.booleans(),
        "multi_class": st.sampled_from(["ova", "ovo", "joint"]),
        "rivals": st.sampled_from(["best", "all"]),
        "init": st.sampled_from(["zeros", "random"]),
        "init_scale": st.sampled_from([0.5, 0.1]),
        "eta0": st.sampled_from([1.0, 0.1, 2.0]),
        "max_steps": st.just(200),
    }
).filter(lambda rule: rule["rivals"] == "best" or not rule["algorithm"].startswith("pa"))


@pytest.mark.slow
@settings(max_examples=150)
@given(points=points, rule=rules)
def test_adding_up_what_is_sent_gives_the_estimators_weights_to_the_last_bit(points, rule):
    X, y = [p[:2] for p in points], [p[2] for p in points]
    answer, estimator = run(X, y, **rule), fitted(X, y, **rule)
    assert answer["ending"]["status"] == estimator.status_
    assert answer["ending"]["mistakes"] == estimator.n_mistakes_
    last = getattr(estimator, "last_coef_", estimator.coef_)
    traces = estimator.trace_ if isinstance(estimator.trace_, list) else [estimator.trace_]
    offset = int(rule["fit_intercept"])
    ends = []
    for problem, trace in zip(answer["problems"], traces, strict=True):
        states = replayed_weights(problem, X, answer["classes"], y, offset)
        for m, w in enumerate(states):
            at = int(unpacked(problem["k"])[m - 1]) + 1 if m else 0
            np.testing.assert_array_equal(np.atleast_2d(trace.weights_at(at)), w)
        np.testing.assert_array_equal(
            weights_after_updates(trace.recording).reshape(len(states), -1, 2 + offset), states
        )
        assert problem["presented"] == len(trace)
        assert unpacked(problem["epoch_ends"]).tolist() == trace.epoch_ends()
        examples = problem["examples"]
        listed = (
            unpacked(examples["list"]) if "list" in examples else np.resize(unpacked(examples["cyclic"]), len(trace))
        )
        assert listed.tolist() == trace.presented_examples().tolist()
        ends.append(states[-1][:, offset:])
    np.testing.assert_array_equal(np.concatenate(ends), last)
    if answer["published"]:
        np.testing.assert_array_equal(np.array(answer["published"]["w"])[:, 1:], estimator.coef_)


@settings(max_examples=60)
@given(points=points, rule=rules)
def test_undershoots_and_exact_errors_are_those_of_the_trace(points, rule):
    X, y = [p[:2] for p in points], [p[2] for p in points]
    answer, estimator = run(X, y, **rule), fitted(X, y, **rule)
    traces = estimator.trace_ if isinstance(estimator.trace_, list) else [estimator.trace_]
    for problem, trace in zip(answer["problems"], traces, strict=True):
        recording = trace.recording
        for m, (k, i) in enumerate(zip(recording.k, recording.i, strict=True)):
            w = trace.weights_at(int(k) + 1)
            place = recording.members.tolist().index(int(i))
            assert unpacked(problem["undershot"])[m] == recording.wrong(recording.scores(w))[place]
        for m, errors, loss in zip(
            *(unpacked(problem["curve"][name]) for name in ("updates", "errors", "loss")), strict=True
        ):
            w = trace.weights_at(int(recording.k[m - 1]) + 1 if m else 0)
            scores = recording.scores(w)
            wrong = recording.wrong(scores)
            assert errors == wrong.sum()
            assert loss == np.abs(scores[wrong]).sum()


@settings(max_examples=60)
@given(points=points, tie=st.sampled_from(["mistake", "positive", "negative"]), offset=st.booleans())
def test_a_batch_run_has_the_weights_of_every_epoch(points, tie, offset):
    X, y = [p[:2] for p in points], [p[2] for p in points]
    rule = {"algorithm": "batch", "tie": tie, "fit_intercept": offset, "max_iter": 20}
    answer = run(X, y, **rule)
    estimator = fitted(X, y, **rule)
    assert answer["ending"]["status"] == estimator.status_
    for c, problem in enumerate(answer["problems"]):
        states = unpacked(problem["states"]).reshape(-1, 3)
        last = states[-1] if len(states) else [0.0, *problem["start"]][-3:]
        np.testing.assert_array_equal(np.asarray(last)[1:], estimator.coef_[c])
        sizes = unpacked(problem["examples"]["sizes"])
        alone = fitted(X, [int(label == answer["classes"][problem["positive"]]) for label in y], **rule)
        assert sizes[: alone.n_iter_].tolist() == alone.history_["mistakes"].tolist()


def test_the_fourth_lectures_example_ends_after_seven_mistakes():
    answer = run([[5, 7], [2, 6]], [1, 0], **{**conventions.L4, "init": "given", "start": [-5, 0, 1]})
    assert answer["ending"] | {"meaning": ""} == {
        "status": "separated",
        "meaning": "",
        "statuses": ["separated"],
        "cycle": None,
        "cycles": [None],
        "epochs": 5,
        "mistakes": 7,
        "presented": 10,
    }
    states = replayed_weights(answer["problems"][0], [[5, 7], [2, 6]], [0, 1], [1, 0], 1)
    assert states[1].tolist() == [[-6, -2, -5]]
    assert states[-1].tolist() == [[-6, 7, -2]]


def test_an_undershoot_is_marked():
    answer = run([[1, 0], [0, -1]], [1, 0], init="given", start=[0, -3, 1], fit_intercept=False, tie="positive")
    assert unpacked(answer["problems"][0]["undershot"]).tolist() == [1, 1, 0]


def test_a_cycle_is_reported_with_its_period():
    xor = data.load("xor")
    ending = run(xor.X, xor.y)["ending"]
    assert (ending["status"], ending["cycle"]) == ("cycled", 1)


def test_the_python_that_is_shown_gives_the_same_run():
    X, y = np.array([[5.0, 7.0], [2.0, 6.0]]), np.array([1, 0])
    answer = run(X, y, tie="negative", init="given", start=[-5, 0, 1])
    namespace = {"Perceptron": rosenblatt.Perceptron, "X": X, "y": y}
    estimator = eval(answer["python"], namespace)
    assert estimator.n_mistakes_ == 7
    assert estimator.coef_.tolist() == [[7, -2]]


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_the_python_that_is_shown_runs_for_every_algorithm(algorithm):
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])
    answer = run(X, y, algorithm=algorithm)
    estimator = eval(
        answer["python"], {name: getattr(rosenblatt, name) for name in rosenblatt.__all__} | {"X": X, "y": y}
    )
    assert estimator.n_mistakes_ == answer["ending"]["mistakes"]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_packed_doubles_keep_every_bit(values):
    assert unpacked(packed(np.array(values, dtype=float))).tobytes() == np.array(values, dtype="<f8").tobytes()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"x": [], "y": []}, "no points yet"),
        ({"x": [[1, 2]], "y": [0, 1]}, "same length"),
        ({"x": [[1, 2]] * 10_001, "y": [0] * 10_001}, "at most 10,000"),
        ({"x": [[1, 2], [1, "a"]], "y": [0, 1]}, "point 2"),
        ({"x": [[1, 2], [1, 1e300]], "y": [0, 1]}, "point 2"),
        ({"x": [[1, 2], [1, 2, 3]], "y": [0, 1]}, "point 2"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 9]}, "point 2"),
        ({"x": [[1, 2], [3, 4]], "y": [0, True]}, "point 2"),
        ({"x": [[1, 2], [3, 4]], "y": [1, 1]}, "one class"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1]}, "rule"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"algorithm": "magic"}}, "no algorithm"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"algorithm": []}}, "no algorithm"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"eta0": 0}}, "eta0"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"tie": "maybe"}}, "tie"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"tie": {}}}, "tie"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"max_steps": 10**9}}, "max_steps"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"fit_intercept": 1}}, "fit_intercept"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"init": "given", "start": [1, 2]}}, "3 finite numbers"),
        ({"x": [[1, 2], [3, 4]], "y": [0, 1], "rule": {"init": "given", "start": [[1, 2, 3]] * 2}}, "planes"),
    ],
)
def test_a_bad_request_is_refused_with_its_reason(body, words):
    event, answer = asked("run", **body)
    assert event == "refused"
    assert words in answer["message"]


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"x": NaN}', "[" * 100_000, "\xff"])
def test_what_is_no_json_object_is_refused(text):
    event, answer = Service().answer("run", text, lambda progress: None)
    assert event in ("malformed", "refused")
    assert json.loads(answer)["message"]
