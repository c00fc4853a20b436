"""scikit-learn's callbacks (since 1.9) watch our fits: the fit is a task, and each epoch is a task in it."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import AveragedPerceptron, BatchPerceptron, KernelPerceptron, Perceptron
from tests.family import FAMILY

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X, y = make_classification(n_samples=80, n_features=6, flip_y=0.1, random_state=0)


class Log:
    """Keeps the name of every task and the score of every fitted estimator. Ends the fit after `stop` epochs."""

    def __init__(self, stop=None):
        self.begun, self.ended, self.scores, self.stop = [], [], [], stop
        self.set_up = self.torn_down = 0

    def setup(self, estimator, context):
        self.set_up += 1

    def teardown(self, estimator, context):
        self.torn_down += 1

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context, *, X, y, metadata, fitted_estimator):
        self.ended.append(context.task_name)
        if fitted_estimator is not None:
            self.scores.append(fitted_estimator.score(X, y))
        return self.stop is not None and self.ended.count("epoch") >= self.stop


@pytest.mark.parametrize("Classifier", FAMILY)
def test_a_callback_sees_the_fit_and_each_epoch(Classifier):
    log = Log()
    model = Classifier(max_iter=7).set_callbacks(log).fit(X, y)
    assert log.begun == ["fit"] + ["epoch"] * model.n_iter_
    assert log.ended == ["epoch"] * model.n_iter_ + ["fit"]
    assert log.set_up == log.torn_down == 1
    assert log.scores[-1] == model.score(X, y)
    assert not [name for name in vars(model) if "callback_fit_ctx" in name or "teardown" in name]


@pytest.mark.parametrize("Classifier", [Perceptron, BatchPerceptron, AveragedPerceptron])
def test_a_monitor_scores_the_weights_after_every_epoch(Classifier):
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = Classifier(max_iter=5).set_callbacks(monitor).fit(X, y)
    rows = [row for row in monitor.get_logs().data if row["task_name"] == "epoch"]
    shorter = [Classifier(max_iter=n).fit(X, y).score(X, y) for n in range(1, model.n_iter_ + 1)]
    assert [row["accuracy"] for row in rows] == shorter


def test_many_classes_report_the_weights_of_all_classes():
    labels = np.arange(80) % 4
    log = Log()
    Perceptron(max_iter=3).set_callbacks(log).fit(X, labels)
    assert len(log.scores) == 4
    pairs = Log()
    Perceptron(max_iter=3, multi_class="ovo").set_callbacks(pairs).fit(X, labels)
    assert len(pairs.scores) == 1  # at the end of the fit: the pairs run one after the other


@pytest.mark.parametrize("Classifier", [Perceptron, KernelPerceptron])
def test_a_hook_that_returns_true_ends_the_fit(Classifier):
    model = Classifier(max_iter=50).set_callbacks(Log(stop=3)).fit(X, y)
    assert (model.n_iter_, model.status_) == (3, "early_stopped")
    assert np.array_equal(model.decision_function(X), Classifier(max_iter=3).fit(X, y).decision_function(X))


def test_our_own_callback_is_called_too_and_may_end_the_fit():
    seen = []
    model = Perceptron(max_iter=50, callback=lambda progress: seen.append(progress.epoch) or len(seen) == 4)
    model.set_callbacks(Log()).fit(X, y)
    assert seen == [1, 2, 3, 4]
    assert (model.n_iter_, model.status_) == (4, "early_stopped")


def test_callbacks_are_torn_down_when_a_fit_fails():
    log = Log()
    broken = X.copy()
    broken[3, 2] = np.nan
    model = Perceptron(max_iter=5).set_callbacks(log)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(broken, y)

    def fail(progress):
        raise RuntimeError("stop here")

    with pytest.raises(RuntimeError, match="stop here"):
        model.set_params(callback=fail).fit(X, y)
    assert log.set_up == log.torn_down == 2
    assert not hasattr(model, "coef_")


def test_the_progress_bar_reaches_our_estimator_in_a_pipeline_and_a_search(capsys):
    pipeline = make_pipeline(StandardScaler(), Perceptron(max_iter=5))
    search = GridSearchCV(pipeline, {"perceptron__eta0": [0.5, 1.0]}, cv=2)
    search.set_callbacks(callback.ProgressBar(max_propagation_depth=None)).fit(X, y)
    shown = capsys.readouterr().out
    assert "GridSearchCV" in shown
    assert "Perceptron" in shown
