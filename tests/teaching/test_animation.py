"""Animations show the run: one frame a step, the line on its way, the shapes and colours of the lab."""

import io
import re
import shutil
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from rosenblatt import conventions, data, textbook
from rosenblatt.plot.themes import DARK, LIGHT
from rosenblatt.teaching import animate
from rosenblatt.teaching.animation.frames import line, positive_side, scene_of
from tests.cli.running import done, error

X, Y = np.array([[5.0, 7.0], [2.0, 6.0]]), np.array([1, -1])
STEPS = list(textbook.online(X, Y, **conventions.L4, start=[-5, 0, 1]))


def test_every_step_has_a_frame_and_an_update_turns_the_line():
    made = scene_of(STEPS, X, Y, shape=1.4)
    updates = sum(step.mistake for step in STEPS)
    assert len(made.frames) == (len(STEPS) - updates) + 7 * updates + 1
    for step in STEPS:
        mine = [frame for frame in made.frames if frame.step is step and not frame.is_end]
        np.testing.assert_array_equal(mine[0].w, step.w_before)
        np.testing.assert_array_equal(mine[-1].w, step.w_after)
    (left, right), (bottom, top) = made.limits
    assert (right - left) / (top - bottom) == pytest.approx(1.4)


def test_the_line_and_the_positive_side_are_those_of_the_weights():
    limits = [(-1.0, 3.0), (-2.0, 2.0)]
    for w in (np.array([1.0, -2.0, 1.0]), np.array([-1.0, 0.0, 2.0]), np.array([-1.0, 1.0, 0.0]), np.array([2.0, 1.0])):
        full = w if len(w) == 3 else np.array([0.0, *w])
        a, b = line(w, limits)
        assert abs(full[0] + full[1:] @ a) < 1e-9
        assert abs(full[0] + full[1:] @ b) < 1e-9
        assert all(full[0] + full[1:] @ corner > -1e-9 for corner in positive_side(w, limits))
    assert line(np.zeros(3), limits) is None
    assert len(positive_side(np.zeros(3), limits)) == 0
    assert len(positive_side(np.array([1.0, 0.0, 0.0]), limits)) == 4


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_an_svg_is_well_formed_and_has_the_shapes_of_the_lab(tmp_path, theme, colours):
    animate(STEPS, X, Y, tmp_path / "run.svg", theme=theme)
    root = ET.parse(tmp_path / "run.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    groups = root.findall(f"{space}g")
    assert len(groups) == len(scene_of(STEPS, X, Y, shape=1).frames)
    [dot] = root.findall(f"{space}circle")
    [triangle] = root.findall(f"{space}polygon")
    assert (dot.get("fill"), triangle.get("fill")) == (colours.positive, colours.negative)
    assert len(triangle.get("points").split()) == 3
    style = root.find(f"{space}style").text
    shares = [float(share) for share in re.findall(r"f\d+\{0%\{visibility:hidden\}([\d.]+)%", style)]
    assert shares == sorted(shares)
    assert shares[0] == 0


@pytest.mark.slow
def test_a_gif_has_the_frames_the_times_and_the_colours(tmp_path):
    animate(STEPS, X, Y, tmp_path / "run.gif", width=300, height=240, speed=2, mistakes_only=True)
    image = Image.open(io.BytesIO((tmp_path / "run.gif").read_bytes()))
    made = scene_of(STEPS, X, Y, shape=300 / 206, mistakes_only=True, speed=2)
    assert image.size == (300, 240)
    assert image.n_frames == len(made.frames)
    total = 0
    for k in range(image.n_frames):
        image.seek(k)
        total += image.info["duration"]
    assert total == pytest.approx(1000 * sum(frame.seconds for frame in made.frames), rel=0.02)
    (left, right), (bottom, top) = made.limits
    picture = image.convert("RGB")
    for point, colour in ((X[0], (0x0A, 0x6A, 0xA8)), (X[1], (0xC8, 0x50, 0x0A))):
        at = (
            round((point[0] - left) / (right - left) * 300),
            round((top - point[1]) / (top - bottom) * 206 + 34),
        )
        assert np.abs(np.array(picture.getpixel(at)) - colour).max() < 30


@pytest.mark.slow
def test_an_mp4_is_written_where_ffmpeg_is_and_is_a_clear_error_where_it_is_not(tmp_path, monkeypatch):
    if shutil.which("ffmpeg"):
        animate(STEPS[:2], X, Y, tmp_path / "run.mp4", width=201, height=160, speed=10)
        assert (tmp_path / "run.mp4").read_bytes()[4:8] == b"ftyp"
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="needs the program ffmpeg, which is not here"):
        animate(STEPS, X, Y, tmp_path / "other.mp4", width=200, height=160)
    assert not (tmp_path / "other.mp4").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"out": "run.webm"}, "an animation is written as .gif, .svg, .html, .mp4"),
        ({"theme": "blue"}, "theme must be"),
        ({"width": 5}, "from 100 to 4000 pixels"),
        ({"speed": 0}, "speed must be"),
        ({"X": X[:, :1]}, "an animation shows two features"),
        ({"y": [0, 1]}, r"takes the labels \+1 and −1"),
        ({"steps": []}, "has no step to show"),
        ({"steps": STEPS * 100}, "an animation at most 400"),
    ],
)
def test_what_cannot_be_animated_is_said(tmp_path, changes, said):
    given = {"steps": STEPS, "X": X, "y": Y, "out": "run.svg", **changes}
    with pytest.raises(ValueError, match=said):
        animate(given.pop("steps"), given.pop("X"), given.pop("y"), tmp_path / given.pop("out"), **given)


def test_the_command_animates_a_dialect(tmp_path):
    done("animate", "@and", "--convention", "L0", "--out", tmp_path / "and.html", "--theme", "dark")
    page = (tmp_path / "and.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    steps = list(textbook.online(data.load("and").X, [-1, -1, -1, 1], **conventions.L0))
    assert page.count("<g id=") == len(scene_of(steps, data.load("and").X, [-1, -1, -1, 1], shape=1).frames)
    assert "two features" in error("animate", "@iris", "--positive", "setosa", "--out", tmp_path / "i.svg")
