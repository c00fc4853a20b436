"""Single examples as dictionaries: examples per second, compared with River.

Each example has some of 10,000 different names, like a line of a log or a short text; a plane gives the label. "New
names" are new string objects, as a JSON parser creates them; otherwise each name is the same object every time. Both
packages learn all examples one after the other, in this process, and then predict.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.agreement import agree
from benchmarks.records import Result
from benchmarks.run import Run, Skip
from rosenblatt import AveragedPerceptron, Perceptron


def measure(run: Run) -> Iterator[Result]:
    """Learning from zero, then predicting."""
    try:
        from river import linear_model
    except ModuleNotFoundError:
        raise Skip("River is not installed: pip install 'rosenblatt[bench]'") from None
    for size, fresh in ((10, False), (50, False), (50, True)):
        xs, ys = _examples(run.size(100_000, 5000) // size, size, fresh)
        kind = f"{len(xs):,} examples of {size} {'new ' if fresh else ''}names"
        model, theirs = _learn(Perceptron, xs, ys), _learn(linear_model.Perceptron, xs, ys)
        right = np.mean([model.predict_one(x) == y for x, y in zip(xs, ys, strict=True)])
        peer_right = np.mean([theirs.predict_one(x) == y for x, y in zip(xs, ys, strict=True)])
        agree(abs(right - peer_right) < 0.05, "share of right examples")
        for name, ours in (("Perceptron", Perceptron), ("AveragedPerceptron", AveragedPerceptron)):
            yield run.compare(
                "learn_one",
                f"{name}.learn_one, {kind}",
                partial(_learn, ours, xs, ys),
                partial(_learn, linear_model.Perceptron, xs, ys),
                against="River",
                agreement=f"right {right:.1%}, {peer_right:.1%}",
            )
        yield run.compare(
            "learn_one",
            f"Perceptron.predict_one, {kind}",
            partial(_predict, model, xs),
            partial(_predict, theirs, xs),
            against="River",
            agreement=f"right {right:.1%}, {peer_right:.1%}",
        )


def _examples(count: int, size: int, fresh: bool) -> tuple[list[dict[str, float]], list[bool]]:
    rng = np.random.default_rng(0)
    names = [f"name{j}" for j in range(10_000)]
    plane = rng.standard_normal(len(names))
    xs, ys = [], []
    for _ in range(count):
        chosen = rng.choice(len(names), size, replace=False)
        values = rng.random(size)
        xs.append({(f"name{j}" if fresh else names[j]): float(v) for j, v in zip(chosen, values, strict=True)})
        ys.append(bool(plane[chosen] @ values > 0))
    return xs, ys


def _learn(kind: Any, xs: list[dict[str, float]], ys: list[bool]) -> Any:
    model = kind()
    for x, y in zip(xs, ys, strict=True):
        model.learn_one(x, y)
    return model


def _predict(model: Any, xs: list[dict[str, float]]) -> None:
    for x in xs:
        model.predict_one(x)
