"""An output file is complete or not there."""

import os
import subprocess
import sys

import pytest

from rosenblatt import whole_file
from rosenblatt.whole_file import write_whole


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    place = tmp_path / "out"
    place.write_bytes(b"old")

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr(whole_file.os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_whole(place, b"new")
    assert place.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path):
    place, link = tmp_path / "real", tmp_path / "link"
    place.write_bytes(b"old")
    place.chmod(0o640)
    link.symlink_to(place)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert place.read_bytes() == b"new"
    assert place.stat().st_mode & 0o777 == 0o640


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError, match="name a file in it"):
        write_whole(tmp_path, b"")


def test_a_full_disk_is_reported_with_the_name_of_the_file(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    (tmp_path / "out").write_bytes(b"old")
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as refused:
            write_whole(tmp_path / "out", bytes(200_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert refused.value.filename == str(tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]
    if os.path.exists("/dev/full"):
        with pytest.raises(OSError, match="No space left on device") as refused:
            write_whole("/dev/full", b"new")
        assert refused.value.filename == "/dev/full"


_WRITER = """
import pathlib, sys
from rosenblatt import whole_file

def parts():
    yield bytes(100_000)
    print("writing", flush=True)
    sys.stdin.readline()
    yield b"end"

place = pathlib.Path(sys.argv[1])
whole_file.write_whole(place, b"old")
whole_file._replace(place, parts())
"""


def started_writer(place):
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="a killed writer's file is told by its age there")
def test_what_killed_writers_left_is_removed_by_the_next_write_and_a_living_writer_goes_on(tmp_path):
    def hidden():
        return sum(name.startswith(".") for name in os.listdir(tmp_path))

    for _ in range(3):
        with started_writer(tmp_path / "killed") as process:
            process.kill()
    assert hidden() == 1  # each writer removed what the one before it left
    with started_writer(tmp_path / "living") as living:
        assert hidden() == 1
        write_whole(tmp_path / "out", b"new")
        assert hidden() == 1
        living.stdin.write("\n")
        living.stdin.close()
        assert living.wait() == 0
    assert sorted(os.listdir(tmp_path)) == ["killed", "living", "out"]
    assert (tmp_path / "living").read_bytes() == bytes(100_000) + b"end"
    assert (tmp_path / "killed").read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="which renames no file that another process reads")
def test_many_writers_of_one_file_leave_one_whole_file(tmp_path):
    code = (
        "import sys; from rosenblatt.whole_file import write_whole\n"
        "for k in range(60): write_whole(sys.argv[1], sys.argv[2].encode() * (50_000 + k), b'\\n')"
    )
    place = tmp_path / "out"
    place.write_bytes(b"a\n")
    writers = [subprocess.Popen([sys.executable, "-c", code, str(place), letter]) for letter in "abc"]
    while any(writer.poll() is None for writer in writers):
        content = place.read_bytes()
        assert content.endswith(b"\n")
        assert len(set(content)) == 2
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert os.listdir(tmp_path) == ["out"]
