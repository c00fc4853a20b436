"""A spam filter: tf-idf of words, averaged, ten epochs, compared with scikit-learn's averaged SGD; fits only."""

from collections.abc import Iterator

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier

from benchmarks.data import mails
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, fits, passes
from rosenblatt import AveragedPerceptron


def measure(run: Run) -> Iterator[Result]:
    """SGD with its default loss and with the perceptron loss, as many epochs, both assessed on held-out mails."""
    texts, labels, name = mails(run)
    texts, labels = texts[: run.size(len(texts), 500)], labels[: run.size(len(texts), 500)]
    X = TfidfVectorizer().fit_transform(texts)
    cut = len(labels) * 4 // 5
    train, test = (X[:cut], labels[:cut]), (X[cut:], labels[cut:])
    epochs = 10
    ours = AveragedPerceptron(max_iter=epochs)
    peers = {
        "SGDClassifier(average=True)": SGDClassifier(average=True, max_iter=epochs, tol=None, random_state=0),
        'SGDClassifier(loss="perceptron", average=True)': SGDClassifier(
            loss="perceptron",
            penalty=None,
            learning_rate="constant",
            eta0=1.0,
            average=True,
            max_iter=epochs,
            tol=None,
            random_state=0,
        ),
    }
    times = run.contest(fits({"ours": ours} | peers, *train))
    for key, peer in peers.items():
        right = ours.score(*test), peer.score(*test)
        yield Result(
            "spam",
            f"spam as tf-idf {cut:,}×{X.shape[1]:,}, averaged, {epochs} epochs",
            name,
            times["ours"],
            key,
            times[key],
            goal=3 if key == "SGDClassifier(average=True)" else None,
            agreement=f"held out right {right[0]:.2%}, {right[1]:.2%}",
            needs=passes(train[0], epochs),  # the rows fit into a cache, so their order does not matter
            accelerators=accelerators(ours),
        )
