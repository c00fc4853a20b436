"""An output file is complete or not there."""

import os

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
