"""A worker process: reads requests from standard input and writes answers to standard output until the input ends.

A frame is a length (four bytes, big-endian), the name of the event or job, a line feed, and the data.
"""

import json
import os
import struct
import sys
import threading
from importlib import import_module
from typing import Any, BinaryIO


def frame_of(event: str, data: bytes) -> bytes:
    """Returns one frame."""
    content = event.encode() + b"\n" + data
    return struct.pack(">I", len(content)) + content


def write_frame(stream: BinaryIO, event: str, data: bytes) -> None:
    """Writes one frame."""
    stream.write(frame_of(event, data))
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[str, bytes] | None:
    """Returns the name and data of the next frame, or None at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    event, _, data = stream.read(struct.unpack(">I", head)[0]).partition(b"\n")
    return event.decode(), data


def main() -> None:
    """Answers requests until standard input is closed."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # redirect printed text to stderr, because standard output carries frames

    from rosenblatt.lab.jobs.pasted_tables import from_message
    from rosenblatt.lab.jobs.service import Service, encoded, needs_library

    first = read_frame(requests)
    if first is None:
        return
    given = json.loads(first[1])
    service = Service(from_message(given) if given else None)
    write_frame(answers, "ready", b"")
    # Real data sets need scikit-learn, whose import takes seconds. A thread imports it while other jobs run.
    import_thread = threading.Thread(target=import_module, args=("sklearn.datasets",), daemon=True)
    import_thread.start()

    def report(progress: dict[str, Any]) -> None:
        write_frame(answers, "progress", encoded(progress))

    while (frame := read_frame(requests)) is not None:
        if import_thread.is_alive() and needs_library(*frame):
            write_frame(answers, "hold", b"")  # on a slow machine the import takes longer than a job's time limit
            import_thread.join()
        event, data = service.answer(*frame, report)
        write_frame(answers, event, data)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
