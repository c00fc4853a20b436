"""The cost of averaging, the time of scikit-learn's averaged SGD to the same held-out error, and the cost of voting."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split

from benchmarks.data import noisy_dense, text_like
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, seconds
from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron

EPOCHS = 10
Part = tuple[Any, Any]


def measure(run: Run) -> Iterator[Result]:
    """Noisy dense data, text-like data and digits."""
    sets = (
        ("dense", noisy_dense(run.size(250_000, 5000))),
        ("text-like", text_like(run.size(200_000, 5000))),
    )
    for name, (X, y) in sets:
        split = int(0.8 * len(y))
        name = f"{name} {split:,}×{X.shape[1]:,}"
        train, test = (X[:split], y[:split]), (X[split:], y[split:])
        yield _cost(run, name, train)
        yield _time_to_equal_error(run, name, train, test)
        few = run.size(20_000, 2000), run.size(5000, 500)
        yield _worth(
            f"{name}, of it {few[0]:,}",
            (X[: few[0]], y[: few[0]]),
            (X[split : split + few[1]], y[split : split + few[1]]),
        )
    digits = load_digits()
    X_train, X_test, y_train, y_test = train_test_split(digits.data, digits.target, random_state=0)
    yield _worth("digits one against one", (X_train, y_train), (X_test, y_test), multi_class="ovo", data="digits")


def _cost(run: Run, name: str, train: Part) -> Result:
    averaged, plain = AveragedPerceptron(max_iter=EPOCHS), Perceptron(max_iter=EPOCHS)
    found = run.compare(
        "family",
        f"averaging, {name}",
        partial(averaged.fit, *train),
        partial(plain.fit, *train),
        against="not averaging",
    )
    return replace(found, accelerators=accelerators(averaged))


def _time_to_equal_error(run: Run, name: str, train: Part, test: Part) -> Result:
    """SGD runs a fixed number of epochs; we run as many as needed for the same held-out accuracy."""
    peer = SGDClassifier(
        loss="perceptron", average=True, penalty=None, learning_rate="constant", eta0=1.0, max_iter=EPOCHS, tol=None
    )
    accuracy = peer.fit(*train).score(*test)
    epochs = next(
        (e for e in range(1, EPOCHS + 1) if AveragedPerceptron(max_iter=e).fit(*train).score(*test) >= accuracy), EPOCHS
    )
    ours = AveragedPerceptron(max_iter=epochs).fit(*train)
    return run.compare(
        "family",
        f"average to equal accuracy, {name}",
        partial(ours.fit, *train),
        partial(peer.fit, *train),
        against="SGDClassifier(average=True)",
        agreement=f"held out right {ours.score(*test):.2%}, {accuracy:.2%}",
        accelerators=accelerators(ours),
        notes=(f"{epochs} epochs against {EPOCHS}",),
    )


def _worth(name: str, train: Part, test: Part, multi_class: str = "ova", data: str = "synthetic") -> Result:
    """The time to predict by a vote, compared with the average."""
    accuracies, taken = [], []
    for kind in (Perceptron, AveragedPerceptron, VotedPerceptron):
        fitted = kind(max_iter=3, multi_class=multi_class).fit(*train)
        taken.append(seconds(lambda fitted=fitted: accuracies.append(fitted.score(*test))))
    last, average, vote = (f"{accuracy:.4f}" for accuracy in accuracies)
    return Result(
        "family",
        f"predicting by average, {name}",
        data,
        (taken[1],),
        "by vote",
        (taken[2],),
        notes=(f"held out after 3 epochs: last {last}, average {average}, vote {vote}",),
    )
