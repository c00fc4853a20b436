"""Certificates in model files: proofs about the training data, in exact integers, without the data itself.

A file stores `{"certificate": …}` in the form of `Separability.to_dict`, with the labels of the classes and with
`left_out`: the rows that were not trained on, such as those held out for a test.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.models.files.model_error import ModelFileError

if TYPE_CHECKING:
    from rosenblatt.theory import Obstruction, Separability

# The integers that `Separability.to_dict` writes: decimal, or hexadecimal if they are long.
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,4000}|0x[0-9a-f]{1,10000000})")
_KINDS = {"separable": True, "weak": False, "inseparable": False, "undecided": False}
_KEYS = {
    *("kind", "separable", "fit_intercept", "positive", "negative", "n_examples", "n_features"),
    *("weights", "witness", "closure", "null", "left_out"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Certificate:
    """A proof from a model file; `verify` checks it against the examples that the model was trained on.

    Examples
    --------
    >>> import tempfile, pathlib, warnings, rosenblatt
    >>> X, y = [[0.0], [0.1], [0.3]], [0, 1, 0]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "m.json"
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     rosenblatt.save(rosenblatt.Perceptron().fit(X, y), path)
    >>> rosenblatt.load(path).certificate_
    <Certificate: 1 against 0: inseparable; verify(X, y) checks it>
    >>> rosenblatt.load(path).certificate_.verify(X, y)
    True
    """

    claim: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """One of "separable", "weak", "inseparable", and "undecided" (weak or inseparable)."""
        return str(self.claim["kind"])

    @property
    def separable(self) -> bool:
        """Whether a hyperplane exists with every example strictly on its correct side."""
        return bool(self.claim["separable"])

    @cached_property
    def weights(self) -> list[int] | None:
        """The hyperplane as exact integers: [w₀, w₁, …], or [w₁, …] through the origin."""
        weights = self.claim["weights"]
        return None if weights is None else [int(number, 0) for number in weights]

    @cached_property
    def witness(self) -> "Obstruction | None":
        """Examples that no hyperplane separates, with the multipliers of the proof."""
        from rosenblatt.theory import Obstruction

        found = self.claim["witness"]
        if found is None:
            return None
        multipliers = [int(number, 0) for number in found["multipliers"]]
        return Obstruction(np.array(found["indices"], dtype=np.int64), multipliers, tuple(found.get("basis", ())))

    def verify(self, X: Any, y: Any) -> bool:
        """Checks the proof in exact integer arithmetic against all rows of the data and their labels.

        X has the encoded and scaled features that the model uses; for a kernel perceptron it is the Gram
        matrix of the examples that it was fitted to (of each pair of classes, if `multi_class="ovo"`).
        """
        from rosenblatt.theory import verify

        labels = np.asarray(y)
        if labels.shape != (self.claim["n_examples"],):
            return False
        rest = -1 if self.claim["negative"] is None else np.where(labels == self.claim["negative"], -1, 0)
        signs = np.where(labels == self.claim["positive"], 1, rest)
        signs[self.claim["left_out"]] = 0
        return verify({**self.claim, "positive": 1, "negative": -1}, X, signs)

    def among(self, rows: NDArray[Any], n_examples: int) -> "Certificate":
        """The same proof for a larger dataset in which the examples are at `rows`; other rows are left out."""

        def placed(proof: Any) -> Any:
            if proof is None:
                return None
            return {**proof, **{name: rows[proof[name]].tolist() for name in ("indices", "basis") if name in proof}}

        took_part = np.zeros(n_examples, dtype=bool)
        took_part[rows] = True
        took_part[rows[self.claim["left_out"]]] = False
        changed = {name: placed(self.claim[name]) for name in ("witness", "closure")}
        changed |= {"n_examples": n_examples, "left_out": np.flatnonzero(~took_part).tolist()}
        return Certificate({**self.claim, **changed})

    def to_dict(self) -> dict[str, Any]:
        """The certificate in plain types, as in the model file."""
        return dict(self.claim)

    def __repr__(self) -> str:
        against = "the rest" if self.claim["negative"] is None else repr(self.claim["negative"])
        return f"<Certificate: {self.claim['positive']!r} against {against}: {self.kind}; verify(X, y) checks it>"


def kept(
    proofs: "Sequence[Separability | Certificate | None]", classes: Any, multi_class: str | None
) -> list[Certificate | None]:
    """The proofs of a fit in the form of a model file, with the class labels of each problem."""
    return [
        found if found is None or isinstance(found, Certificate) else _from_fit(found, *sides)
        for found, sides in zip(proofs, _problems(classes, multi_class, len(proofs)), strict=True)
    ]


def _from_fit(found: "Separability", positive: Any, negative: Any) -> Certificate:
    # In a fit y has the signs ±1 of the problem, and 0 for examples that are not in it.
    left_out = np.flatnonzero(np.asarray(found.y) == 0).tolist()
    return Certificate({**found.to_dict(), "positive": positive, "negative": negative, "left_out": left_out})


def _problems(classes: Any, multi_class: str | None, count: int) -> list[tuple[Any, Any]]:
    """The positive and the negative class (None: all others) of each binary problem."""
    labels = classes.tolist()
    if len(labels) == 2:
        return [(labels[1], labels[0])]
    if multi_class == "ovo":
        return [(b, a) for a, b in combinations(labels, 2)]
    # Classes that are learned jointly are one problem, for which there is no proof.
    return [(label, None) for label in labels][:count]


def certificate_from(stored: Any) -> Certificate:
    """The certificate from the output of `to_dict`. Raises `ModelFileError` for anything else."""
    if not isinstance(stored, dict) or stored.keys() != _KEYS:
        raise ModelFileError("a certificate is incomplete")
    kind, sizes = stored["kind"], (stored["n_examples"], stored["n_features"])
    if kind not in _KINDS or stored["separable"] is not _KINDS[kind] or type(stored["fit_intercept"]) is not bool:
        raise ModelFileError("a certificate does not say what it proves")
    if not all(type(size) is int and 0 <= size < 2**48 for size in sizes):
        raise ModelFileError("a certificate has no shape")
    width = sizes[1] + stored["fit_intercept"]
    _check_vectors([] if stored["weights"] is None else [stored["weights"]], width)
    _check_vectors(stored["null"], width)
    _check_rows(stored["left_out"], sizes[0])
    for name in ("witness", "closure"):
        proof = stored[name]
        if proof is not None:
            if not isinstance(proof, dict) or proof.keys() - {"basis"} != {"indices", "multipliers"}:
                raise ModelFileError(f"the {name} of a certificate is incomplete")
            _check_rows(proof["indices"], sizes[0])
            _check_rows(proof.get("basis", []), sizes[0])
            _check_vectors([proof["multipliers"]], len(proof["indices"]))
    return Certificate(stored)


def _check_vectors(vectors: Any, width: int) -> None:
    if not isinstance(vectors, list) or not all(isinstance(v, list) and len(v) == width for v in vectors):
        raise ModelFileError(f"a certificate must have vectors of {width} integers")
    if not all(isinstance(number, str) and _INTEGER.fullmatch(number) for vector in vectors for number in vector):
        raise ModelFileError("a certificate has a number that is not an integer")


def _check_rows(rows: Any, count: int) -> None:
    if not isinstance(rows, list) or not all(type(row) is int and 0 <= row < count for row in rows):
        raise ModelFileError("a certificate names an example that is not there")


def check_certificates(found: Any, classes: Any, multi_class: str | None, problems: int) -> None:
    """Raises `ModelFileError` unless the certificates match the binary problems of these classes."""
    if not isinstance(found, list) or not all(isinstance(proof, Certificate | None) for proof in found):
        raise ModelFileError("certificates_ must be a list of certificates, with null where there is none")
    if len(found) != (1 if multi_class == "joint" else problems):
        raise ModelFileError(f"certificates_ must have {problems} entries, one per problem")
    for proof, (positive, negative) in zip(found, _problems(classes, multi_class, len(found)), strict=True):
        if proof is not None and (proof.claim["positive"], proof.claim["negative"]) != (positive, negative):
            against = "all others" if negative is None else repr(negative)
            raise ModelFileError(
                f"the certificate of the problem {positive!r} against {against} is about other classes"
            )
