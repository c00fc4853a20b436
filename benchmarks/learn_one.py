"""Single examples as dictionaries: `python -m benchmarks.learn_one`. Examples a second, ours against River's.

Each example has some of 10,000 names, all different, as a line of a log or a short text has; the label follows from a
plane behind them. New names are text objects that were never seen before, as a parser of JSON makes them; else each
name is the same object every time. Both learn all of them one after the other, in this process, and then predict.
"""

from functools import partial

import numpy as np

from benchmarks.measure import compare
from rosenblatt import AveragedPerceptron, Perceptron


def main() -> None:
    from river import linear_model

    print("learn_one and predict_one, examples a second")
    for size, fresh in ((10, False), (50, False), (50, True)):
        xs, ys = _examples(100_000 // size, size, fresh)
        kind = f"{size} {'new ' if fresh else ''}names"
        for name, ours in (("Perceptron", Perceptron), ("AveragedPerceptron", AveragedPerceptron)):
            found = compare(
                partial(_learn_anew, ours, xs, ys),
                partial(_learn_anew, linear_model.Perceptron, xs, ys),
                repeats=3,
            )
            _line(f"learn_one, {kind}, {name}", len(xs), found)
        model, theirs = _learn(Perceptron(), xs, ys), _learn(linear_model.Perceptron(), xs, ys)
        _line(
            f"predict_one, {kind}",
            len(xs),
            compare(partial(_predict, model, xs), partial(_predict, theirs, xs), repeats=3),
        )


def _line(what, count, found) -> None:
    print(
        f"  {what:<42} ours {count / found.ours:9,.0f}/s  River {count / found.peer:8,.0f}/s  ratio {found.ratio:5.1f}",
        flush=True,
    )


def _examples(count: int, size: int, fresh: bool):
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


def _learn_anew(kind, xs, ys):
    return _learn(kind(), xs, ys)


def _learn(model, xs, ys):
    for x, y in zip(xs, ys, strict=True):
        model.learn_one(x, y)
    return model


def _predict(model, xs) -> None:
    for x in xs:
        model.predict_one(x)


if __name__ == "__main__":
    main()
