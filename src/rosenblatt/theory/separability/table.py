"""The answers for more than two classes."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from rosenblatt.theory.separability.answer import Separability


class SeparabilityTable(Mapping[Any, Separability]):
    """The answers for more than two classes.

    `table["a", "b"]` is class b against a (b positive, as everywhere the later class is), `table["a"]` is a against
    the rest. `pairs` holds the answers by pair, `rest` those of one class against the rest.

    Examples
    --------
    >>> from rosenblatt import data, separability
    >>> iris = data.load("iris")
    >>> table = separability(iris.X, iris.y)
    >>> table["setosa"].kind, table["versicolor", "virginica"].kind
    ('separable', 'inseparable')
    """

    def __init__(self, pairs: dict[tuple[Any, Any], Separability], rest: dict[Any, Separability]) -> None:
        self.pairs = pairs
        self.rest = rest
        self._all: dict[Any, Separability] = {**pairs, **rest}

    @classmethod
    def of(cls, answers: Iterable[Separability]) -> "SeparabilityTable":
        """The table of answers in any order: one for each pair of classes and one for each class against the rest."""
        found = {(answer.positive, answer.negative): answer for answer in answers}
        labels = sorted(positive for positive, negative in found if negative is None)
        pairs = {(a, b): found[b, a] for a, b in combinations(labels, 2)}
        return cls(pairs, {a: found[a, None] for a in labels})

    def __getitem__(self, key: Any) -> Separability:
        return self._all[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def verify(self) -> bool:
        return all(answer.verify() for answer in self.values())

    def explain(self) -> str:
        return "\n\n".join(answer.explain() for answer in self.values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "pairs": [answer.to_dict() for answer in self.pairs.values()],
            "rest": [answer.to_dict() for answer in self.rest.values()],
        }

    def __repr__(self) -> str:
        lines = [f"  {a!r} against {b!r}: {answer.kind}" for (a, b), answer in self.pairs.items()]
        lines += [f"  {a!r} against the rest: {answer.kind}" for a, answer in self.rest.items()]
        return "\n".join(["<SeparabilityTable", *lines, ">"])
