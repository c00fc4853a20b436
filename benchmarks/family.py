"""What averaging costs over the plain pass, how long scikit-learn's averaged SGD takes to the same held-out error, and
what averages and votes are worth.
"""

import time
import warnings
from typing import Any

from sklearn.datasets import load_digits
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split

from benchmarks.measure import compare
from benchmarks.workloads import noisy_dense, text_like
from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron

EPOCHS = 10


def main() -> None:
    """Prints cost and accuracy of the family on noisy dense data, text-like data and digits."""
    warnings.simplefilter("ignore")
    print(f"the family, {EPOCHS} epochs, one thread (best of 3)")
    for name, (X, y) in (("dense 200,000×54", noisy_dense(250_000)), ("text-like 160,000×47,000", text_like())):
        split = int(0.8 * len(y))
        train, test = (X[:split], y[:split]), (X[split:], y[split:])
        _cost(name, train)
        _time_to_equal_error(name, train, test)
        _worth(name, (X[:20_000], y[:20_000]), (X[split : split + 5000], y[split : split + 5000]), "ova")
    digits = load_digits()
    X_train, X_test, y_train, y_test = train_test_split(digits.data, digits.target, random_state=0)
    _worth("digits", (X_train, y_train), (X_test, y_test), "ovo")


def _cost(name: str, train: Any) -> None:
    plain, averaged = Perceptron(max_iter=EPOCHS), AveragedPerceptron(max_iter=EPOCHS)
    cost = compare(lambda: averaged.fit(*train), lambda: plain.fit(*train), repeats=3)
    print(f"  {name:<26} averaging costs {1 / cost.ratio:.2f} times the plain pass")


def _time_to_equal_error(name: str, train: Any, test: Any) -> None:
    """SGD runs its epochs; ours as many as it takes to be no worse on the held-out part."""
    peer = SGDClassifier(
        loss="perceptron", average=True, penalty=None, learning_rate="constant", eta0=1.0, max_iter=EPOCHS, tol=None
    )
    accuracy = peer.fit(*train).score(*test)
    epochs = next(
        (e for e in range(1, EPOCHS + 1) if AveragedPerceptron(max_iter=e).fit(*train).score(*test) >= accuracy), EPOCHS
    )
    ours = AveragedPerceptron(max_iter=epochs)
    found = compare(lambda: ours.fit(*train), lambda: peer.fit(*train), repeats=3)
    print(
        f"  {name:<26} SGDClassifier(average=True), {EPOCHS} epochs, {accuracy:.4f} held out, takes {found.ratio:.2f} "
        f"times as long as ours to {ours.score(*test):.4f} in {epochs}"
    )


def _worth(name: str, train: Any, test: Any, multi_class: str) -> None:
    accuracies = []
    for cls in (Perceptron, AveragedPerceptron, VotedPerceptron):
        fitted = cls(max_iter=3, multi_class=multi_class).fit(*train)
        begin = time.perf_counter()
        accuracies.append(f"{fitted.score(*test):.4f} ({time.perf_counter() - begin:.2f} s)")
    print(f"  {name:<26} held out, {train[0].shape[0]:,} examples, 3 epochs: last {accuracies[0]}, ", end="")
    print(f"average {accuracies[1]}, vote {accuracies[2]}")


if __name__ == "__main__":
    main()
