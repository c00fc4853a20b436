"""The distributed twins of the online estimators."""

from typing import Any, ClassVar

from rosenblatt.distributed.classifier import DaskClassifier
from rosenblatt.estimators import AveragedPerceptron, Perceptron, PocketPerceptron
from rosenblatt.estimators.online import OnlineClassifier


class DaskPerceptron(DaskClassifier):
    """`Perceptron` over shards."""

    _local: ClassVar[type[OnlineClassifier]] = Perceptron


class DaskAveragedPerceptron(DaskClassifier):
    """`AveragedPerceptron` over shards."""

    _local: ClassVar[type[OnlineClassifier]] = AveragedPerceptron


class DaskPocketPerceptron(DaskClassifier):
    """`PocketPerceptron` over shards."""

    _local: ClassVar[type[OnlineClassifier]] = PocketPerceptron
    _defaults: ClassVar[dict[str, Any]] = {"ratchet": True}

    def _check(self) -> None:
        super()._check()
        if not self.ratchet:
            raise ValueError(
                "ratchet=False keeps the weights with the longest run of right examples, and a run has no meaning over "
                "shards. Leave ratchet=True: the weights with the fewest training errors are kept."
            )
