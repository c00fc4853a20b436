"""svmlight (LIBSVM) files, parsed by the core."""

from rosenblatt.core import SvmlightError, SvmlightReading
from rosenblatt.data.bytes import Bytes, named
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.loaded import Loaded
from rosenblatt.data.sparse import Sparse


def loaded_svmlight(
    source: str, found: Bytes, reading: SvmlightReading, like: Features | None, detects: bool
) -> Loaded:
    """The examples of a text whose reading has begun; `detects` says that it finds out where indices begin."""
    name = named(source)
    try:
        parsed = reading.finish()
    except SvmlightError as error:
        raise DataError(f"{name}, {error}.") from None

    def place(row: int) -> str:
        return f"line {line_of_row(found, row)}"

    X = Sparse(parsed["values"], parsed["indices"], parsed["starts"], parsed["features"], checked=True)
    return Loaded(
        name,
        X,
        numeric_labels(parsed["labels"], name, place),
        like or Features("svmlight", X.n_features, zero_based=parsed["zero_based"]),
        f"xxh64:{parsed['hash']:016x}",
        place,
        (where_indices_begin(parsed["zero_based"]),) if detects else (),
    )


def where_indices_begin(zero_based: bool) -> str:
    """What was found out, as a note says it."""
    return f"indices begin at {0 if zero_based else 1} (--zero-based or --one-based says otherwise)"


def line_of_row(found: Bytes, row: int) -> int:
    """The number of the line that holds example `row`: blank lines and comments are none."""
    examples = -1
    for number, line in enumerate(found.tobytes().split(b"\n"), 1):
        examples += bool(line.split(b"#", 1)[0].strip())
        if examples == row:
            return number
    raise IndexError(row)
