"""Reads all examples of a source: a file of any format, standard input, a query, or a built-in set."""

from dataclasses import replace

from rosenblatt.core import xxh64
from rosenblatt.data.columns.interactions import refuse_interactions
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats import detect_format, format_named
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.file_bytes import display_name, read_text_or_binary
from rosenblatt.data.sources.other_sources import OtherSource, file_or_other
from rosenblatt.data.sources.unsupported import refuse_unsupported

_DEFAULT = ReadOptions()
_HEAD = 1 << 16


def read(source: str, options: ReadOptions = _DEFAULT, *, like: Features | None = None) -> Dataset:
    """Reads the examples of a file, of standard input ("-") or of a built-in set ("@iris").

    With `like` (a model's features) the columns must be the model's, and labels may be absent.

    >>> read("@xor").X.shape
    (4, 2)
    """
    found = file_or_other(source, options)
    if isinstance(found, OtherSource):
        return found.read(options, like)
    source = found
    content, notes = read_text_or_binary(source, options.encoding)
    head = content[:_HEAD].tobytes()
    if options.form is None:
        refuse_unsupported(source, head, display_name(source))
    form = options.form or detect_format(source, head)
    refuse_interactions(options.interactions, form, display_name(source))
    dataset = format_named(form).read(source, content, form, options, like)
    if not dataset.n_examples:
        raise DataError(f"{dataset.name} has no examples.")
    if not dataset.features.n_features:
        raise DataError(f"{dataset.name} has no features: every example is empty.")
    fingerprint = dataset.fingerprint or f"xxh64:{xxh64(content):016x}"
    return replace(dataset, fingerprint=fingerprint, n_bytes=len(content), notes=(*notes, *dataset.notes))
