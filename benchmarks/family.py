"""What averaging costs over the plain pass, and against scikit-learn's averaged SGD at equal held-out error."""

import warnings

from sklearn.linear_model import SGDClassifier

from benchmarks.measure import compare
from benchmarks.workloads import noisy_dense, text_like
from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron

EPOCHS = 10


def main() -> None:
    """Prints cost and accuracy of the family on noisy dense and text-like data."""
    warnings.simplefilter("ignore")
    print(f"the family, {EPOCHS} epochs, one thread (best of 3)")
    for name, (X, y) in (("dense 200,000×54", noisy_dense(250_000)), ("text-like 160,000×47,000", text_like())):
        split = int(0.8 * len(y))
        train, test = (X[:split], y[:split]), (X[split:], y[split:])
        plain, averaged = Perceptron(max_iter=EPOCHS), AveragedPerceptron(max_iter=EPOCHS)
        peer = SGDClassifier(
            loss="perceptron", average=True, penalty=None, learning_rate="constant", eta0=1.0, max_iter=EPOCHS, tol=None
        )
        cost = compare(lambda: averaged.fit(*train), lambda: plain.fit(*train), repeats=3)  # noqa: B023  # called at once
        ratio = compare(lambda: averaged.fit(*train), lambda: peer.fit(*train), repeats=3)  # noqa: B023
        print(f"  {name:<26} averaging costs {1 / cost.ratio:.2f} times the plain pass")
        print(
            f"  {name:<26} SGDClassifier(average=True) takes {ratio.ratio:.2f} times as long; held-out accuracy "
            f"averaged {averaged.score(*test):.4f}, last {plain.score(*test):.4f}, SGD {peer.score(*test):.4f}"
        )
        voted = VotedPerceptron(max_iter=1).fit(X[:5000], y[:5000])
        last = Perceptron(max_iter=1).fit(X[:5000], y[:5000])
        some = (X[split : split + 2000], y[split : split + 2000])
        print(f"  {name:<26} one epoch of 5,000: voted {voted.score(*some):.4f}, last {last.score(*some):.4f} of 2,000")


if __name__ == "__main__":
    main()
