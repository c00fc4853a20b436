"""Compressed files and encodings: gzip, bz2, xz, Zstandard, LZ4 and zip; texts that are not UTF-8."""

import codecs
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError
from typing import IO, Any, BinaryIO
from zipfile import BadZipFile, ZipFile

from rosenblatt.data.errors import DataError

#: The first bytes of compressed files. A zip archive may also be a workbook or a `.npz` file.
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"PK\x03\x04": "zip",
}
#: Byte order marks. That of UTF-32 begins with that of UTF-16.
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le",
    b"\0\0\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}


def compression_of(file: BinaryIO) -> str | None:
    """The compression of a file that can be rewound; None if there is none."""
    file.seek(0)
    start = file.read(8)
    file.seek(0)
    kind = next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
    if kind == "zip" and not _is_archive(file):
        return None
    return kind


def _is_archive(file: BinaryIO) -> bool:
    """Whether a zip file is an archive of files, rather than a workbook, a `.npz` file or damaged."""
    try:
        with ZipFile(file) as archive:
            names = archive.namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    finally:
        file.seek(0)
    return not any(name.endswith(".npy") or name == "[Content_Types].xml" or name == "mimetype" for name in names)


def open_decompressed(raw: BinaryIO, compression: str, name: str) -> IO[bytes]:
    """The decompressed bytes of a file."""
    if compression == "zip":
        return _only_member(raw, name)
    if compression in ("zstd", "lz4"):
        import pyarrow as pa

        stream: Any = pa.CompressedInputStream(pa.PythonFile(raw, "r"), compression)
        return io.BufferedReader(_ArrowStream(stream))
    from importlib import import_module

    opened: IO[bytes] = import_module(compression).open(raw, "rb")
    return opened


class _ArrowStream(io.RawIOBase):
    """Wraps a pyarrow stream as a Python stream."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._stream.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


def _only_member(raw: BinaryIO, name: str) -> IO[bytes]:
    from rosenblatt.data.formats import format_of_name

    archive = ZipFile(raw)  # closed with the file
    members = [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith("__MACOSX/") and member.filename[:1] != "."
    ]
    if len(members) > 1:  # beside the data there often is a licence or a description
        data = [member for member in members if format_of_name(member.filename) is not None]
        members = data if len(data) == 1 else members
    if len(members) != 1:
        shown = ", ".join(member.filename for member in members[:5]) or "nothing"
        raise DataError(f"{name} is a zip archive of {len(members)} files ({shown}); unpack it, and name one of them.")
    if members[0].flag_bits & 1:
        raise DataError(f"{name} is a zip archive with a password. Unpack it first.")
    return archive.open(members[0])


@contextmanager
def damage_reported(name: str, compression: str | None) -> Iterator[None]:
    """Reports compressed data that ends early or is damaged."""
    try:
        yield
    except DataError:
        raise
    except (OSError, EOFError, zlib.error, LZMAError, BadZipFile) as error:
        if not compression:
            raise
        raise DataError(f"{name} is incomplete: its {compression} data ends early or is damaged ({error}).") from error


def encoding_of(start: bytes, asked: str | None, name: str) -> str | None:
    """The encoding of a text: the one given, or that of its byte order mark; None for UTF-8 and binary files."""
    if asked is None:
        return next((encoding for mark, encoding in _MARKS.items() if start.startswith(mark)), None)
    try:
        encoding = codecs.lookup(asked).name
    except LookupError:
        raise DataError(f"{name}: there is no encoding {asked!r}. Try cp1252, latin-1 or utf-16.") from None
    return None if encoding in ("utf-8", "ascii") else encoding


def inferred_encoding(head: bytes) -> str | None:
    """cp1252 for the beginning of a text that is not UTF-8; None for UTF-8 and for binary files, which have zero bytes.

    >>> inferred_encoding("größe".encode("cp1252")), inferred_encoding("größe".encode())
    ('cp1252', None)
    """
    if b"\0" in head:
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return "cp1252"
    return None


def note_on_encoding(encoding: str) -> str:
    return f"the text is not UTF-8 and is read as {encoding} (--encoding overrides this)"


class Recoded(io.RawIOBase):
    """Re-encodes a text of another encoding as UTF-8."""

    def __init__(self, stream: IO[bytes], encoding: str, name: str) -> None:
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)("strict")
        self._rest = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while len(self._rest) < len(buffer) and not self._ended:
            content = self._stream.read(len(buffer))
            self._ended = not content
            try:
                self._rest += self._decoder.decode(content, final=self._ended).encode()
            except UnicodeError as error:
                raise DataError(
                    f"{self._name}: the text is not {self._encoding} ({error}). Name its encoding, such as shift_jis, "
                    "gb18030, big5, euc-kr, cp1251 or mac-roman (--encoding NAME)."
                ) from error
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._stream.close()
        super().close()
