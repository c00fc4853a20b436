"""A worker process: questions on standard input, answers on standard output, until the input ends.

A frame is four bytes of length, then the event or job, a line feed, and the data.
"""

import json
import os
import struct
import sys
import threading
from importlib import import_module
from typing import Any, BinaryIO


def write_frame(stream: BinaryIO, event: str, data: bytes) -> None:
    """Sends one frame."""
    content = event.encode() + b"\n" + data
    stream.write(struct.pack(">I", len(content)) + content)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[str, bytes] | None:
    """The next frame, or None at the end."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    event, _, data = stream.read(struct.unpack(">I", head)[0]).partition(b"\n")
    return event.decode(), data


def main() -> None:
    """Answers until the server is gone."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints, prints to stderr: standard output carries frames

    from rosenblatt.lab.service import Service, encoded, needs_library
    from rosenblatt.lab.tables import from_message

    first = read_frame(questions)
    if first is None:
        return
    given = json.loads(first[1])
    service = Service(from_message(given) if given else None)
    write_frame(answers, "ready", b"")
    # Real data sets come with scikit-learn, whose import takes seconds: meanwhile other questions can be answered.
    warming = threading.Thread(target=import_module, args=("sklearn.datasets",), daemon=True)
    warming.start()

    def tell(progress: dict[str, Any]) -> None:
        write_frame(answers, "progress", encoded(progress))

    while (frame := read_frame(questions)) is not None:
        if warming.is_alive() and needs_library(*frame):
            write_frame(answers, "hold", b"")  # on a slow machine the import takes longer than a job may
            warming.join()
        event, data = service.answer(*frame, tell)
        write_frame(answers, event, data)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
