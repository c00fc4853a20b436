"""svmlight (LIBSVM) files, parsed by the core."""

from rosenblatt.core import SvmlightError, svmlight
from rosenblatt.data.bytes import Bytes, available_threads, named
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels, numeric_labels
from rosenblatt.data.sparse import Sparse


def read_svmlight(
    source: str, found: Bytes, *, zero_based: bool | None = None, n_features: int | None = None
) -> tuple[Sparse, Labels, Features]:
    """The examples of an svmlight text. Without `zero_based`, indices begin at 0 if one of them is 0, else at 1."""
    try:
        parsed = svmlight(found, zero_based=zero_based, features=n_features, threads=available_threads())
    except SvmlightError as error:
        raise DataError(f"{named(source)}, {error}.") from None
    X = Sparse(parsed["values"], parsed["indices"], parsed["starts"], parsed["features"])
    features = Features("svmlight", X.n_features, zero_based=parsed["zero_based"])

    def place(row: int) -> str:
        return f"line {line_of_row(found, row)}"

    return X, numeric_labels(parsed["labels"], named(source), place), features


def line_of_row(found: Bytes, row: int) -> int:
    """The number of the line that holds example `row`: blank lines and comments are none."""
    examples = -1
    for number, line in enumerate(found.tobytes().split(b"\n"), 1):
        examples += bool(line.split(b"#", 1)[0].strip())
        if examples == row:
            return number
    raise IndexError(row)
