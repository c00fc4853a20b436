"""The perceptron family, and proofs of separability. Start with `Perceptron` and `separability`."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names

if TYPE_CHECKING:
    from rosenblatt import (
        boolean,
        compat,
        conventions,
        data,
        distributed,
        lab,
        models,
        plot,
        teaching,
        textbook,
        theory,
    )
    from rosenblatt.estimators import (
        AveragedPerceptron,
        BatchPerceptron,
        KernelPerceptron,
        Perceptron,
        PocketPerceptron,
        VotedPerceptron,
        perceptron_loss,
        zero_one_loss,
    )
    from rosenblatt.internal_error import InternalError
    from rosenblatt.models import load, save
    from rosenblatt.theory import Hyperplane, separability
    from rosenblatt.trace import Trace

    __version__: str

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "Hyperplane",
    "InternalError",
    "KernelPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "Trace",
    "VotedPerceptron",
    "boolean",
    "compat",
    "conventions",
    "data",
    "distributed",
    "lab",
    "load",
    "models",
    "perceptron_loss",
    "plot",
    "save",
    "separability",
    "teaching",
    "textbook",
    "theory",
    "zero_one_loss",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "": "boolean compat conventions data distributed lab models plot teaching textbook theory",
        "core": "__version__",
        "estimators": "AveragedPerceptron BatchPerceptron KernelPerceptron Perceptron PocketPerceptron VotedPerceptron "
        "perceptron_loss zero_one_loss",
        "internal_error": "InternalError",
        "models": "load save",
        "theory": "Hyperplane separability",
        "trace": "Trace",
    },
)
