"""Texts and large vocabularies as features: words are hashed to buckets; those of texts are weighted by tf-idf.

A text's row has, for each bucket, √count · idf, and length 1; idf is ln((1 + n) / (1 + df)) + 1 for a bucket that
occurs in df of the n training texts. The features are the buckets that training texts have. Buckets of a single text
can only help to memorise that text, and most buckets are such: with many texts they are left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.core import BucketWords, hashed_texts, hashed_words
from rosenblatt.data.columns.arrow_values import joined
from rosenblatt.data.columns.column import Column
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.file_bytes import available_threads
from rosenblatt.data.sparse import Sparse

#: Bits of the hash. Of a text column, only the buckets in use become features; of a category column, all of them.
TEXT_BITS = 20
CATEGORY_BITS = 18

#: From this many texts on, a bucket must occur in two of them.
_MIN_TEXTS = 200

Part = NDArray[np.float64] | tuple[NDArray[np.int64], int] | Sparse


class DocumentFrequencies:
    """Counts the texts in which each bucket occurs."""

    def __init__(self, name: str, options: ReadOptions) -> None:
        self._name = name
        self._bits = options.hash_bits or TEXT_BITS
        self._ngrams = options.ngrams
        self._counts = np.zeros(1 << self._bits, dtype=np.int64)
        self._texts = 0
        self._words = BucketWords(bits=self._bits, ngrams=self._ngrams)

    def add(self, column: pa.ChunkedArray) -> None:
        for _, buckets, starts in _hashed(column, self._bits, self._ngrams):
            self._counts += np.bincount(buckets, minlength=len(self._counts))
            self._texts += len(starts) - 1
        for chunk in _text_chunks(column):
            self._words.add(*_bytes(chunk))

    def column(self) -> Column:
        buckets = np.flatnonzero(self._counts >= 2) if self._texts >= _MIN_TEXTS else np.empty(0, np.int64)
        if not len(buckets):
            buckets = np.flatnonzero(self._counts)
        if not len(buckets):  # no text has a word
            buckets = np.zeros(1, np.int64)
        found = self._words.words()
        return Column(
            self._name,
            bits=self._bits,
            ngrams=self._ngrams,
            buckets=buckets.astype(np.int32),
            idf=np.log((1 + self._texts) / (1 + self._counts[buckets])) + 1,
            words={k: found[bucket] for k, bucket in enumerate(buckets.tolist()) if bucket in found},
        )


def text_rows(column: pa.ChunkedArray, how: Column) -> Sparse:
    """The texts of a column as rows of length 1; a missing text has no words."""
    parts = list(_hashed(column, how.bits or TEXT_BITS, how.ngrams or 1))
    counts, buckets = (joined([part[k] for part in parts], kind) for k, kind in ((0, np.float64), (1, np.int32)))
    before = np.cumsum([0, *(len(part[1]) for part in parts)])
    starts = np.concatenate([[0], *(part[2][1:] + first for part, first in zip(parts, before, strict=False))])
    values = np.sqrt(counts)
    kept = np.ones(len(values), dtype=bool)
    if how.buckets is not None:
        places = np.full(1 << (how.bits or TEXT_BITS), -1, dtype=np.int32)
        places[how.buckets] = np.arange(len(how.buckets), dtype=np.int32)
        buckets = places[buckets]
        kept = buckets >= 0
    if how.idf is not None:
        values *= how.idf[buckets]
        kept &= values != 0
        starts = np.concatenate([[0], np.cumsum(kept)])[starts]
        values, buckets = values[kept], buckets[kept]
    lengths = np.zeros(len(starts) - 1)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        lengths[filled] = np.sqrt(np.add.reduceat(values * values, starts[:-1][filled]))
        values /= np.repeat(lengths, np.diff(starts))
    return Sparse(values, buckets, starts, how.width)


def hashed_categories(column: pa.ChunkedArray, bits: int, fill: str) -> NDArray[np.int64]:
    """The bucket of each value, and that of `fill` where the value is missing."""
    buckets = [hashed_texts(*_bytes(chunk), bits=bits) for chunk in _text_chunks(column, fill)]
    return joined(buckets, np.int32).astype(np.int64)


def commonest_levels(counts: Mapping[str, int], bits: int) -> dict[int, str]:
    """The most frequent level of each bucket; of equally frequent ones, the first in the alphabet."""
    levels = sorted(counts, key=lambda text: (counts[text], [-ord(c) for c in text]))
    column = pa.chunked_array([pa.array(levels, pa.string())])
    return dict(zip(hashed_categories(column, bits, fill="").tolist(), levels, strict=True))


def sparse_side_by_side(parts: Sequence[Part], rows: int, width: int) -> Sparse:
    """Concatenates the features of columns. Numbers keep their zeros, because a scale may move them; others do not."""
    pieces = []
    first = 0
    for part in parts:
        if isinstance(part, Sparse):
            piece = (np.diff(part.starts), part.indices.astype(np.int64) + first, part.values)
            first += part.n_features
        elif isinstance(part, tuple):
            known = part[0] >= 0
            piece = (known.astype(np.int64), part[0][known] + first, np.ones(int(known.sum())))
            first += part[1]
        else:
            piece = (np.ones(rows, np.int64), np.full(rows, first), part)
            first += 1
        pieces.append(piece)
    lengths = sum((piece[0] for piece in pieces), start=np.zeros(rows, dtype=np.int64))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    indices, values = np.empty(int(starts[-1]), dtype=np.int32), np.empty(int(starts[-1]))
    at = starts[:-1].copy()  # where the next entry of each row goes
    for counts, found, entries in pieces:
        ends = np.cumsum(counts)
        places = np.arange(len(found)) + np.repeat(at - (ends - counts), counts)
        indices[places], values[places] = found, entries
        at += counts
    narrow = starts[-1] < 2**31
    return Sparse(
        values, indices if narrow else indices.astype(np.int64), starts.astype(np.int32) if narrow else starts, width
    )


def _hashed(column: pa.ChunkedArray, bits: int, ngrams: int) -> Any:
    for chunk in _text_chunks(column):
        yield hashed_words(*_bytes(chunk), bits=bits, ngrams=ngrams, threads=available_threads())


def _text_chunks(column: pa.ChunkedArray, fill: str = "") -> Any:
    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    yield from (column.fill_null(fill) if column.null_count else column).chunks


def _bytes(chunk: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of texts and where each begins, straight from Arrow's buffers; a missing text has none."""
    _, offsets, data = chunk.buffers()
    kind = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
    if not len(chunk):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    found = np.frombuffer(offsets, kind, count=chunk.offset + len(chunk) + 1)[chunk.offset :].astype(np.int64)
    content = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return content, found
