"""A file of one's own on the command line: many rows, huge values, columns of different sizes."""

import re
import subprocess

import numpy as np
import pytest

from tests.browser.conftest import state, wait_for_run
from tests.lab.servers import Lab


@pytest.fixture
def open_file(tmp_path, open_page):
    """Opens the lab on a table of two columns and the class, as a command with the file's path."""
    labs, pages = [], []

    def opened(columns, rows, **options):
        path = tmp_path / "own.csv"
        text = [",".join([*columns, "kind"]), *(",".join([*map(repr, map(float, row[:-1])), row[-1]]) for row in rows)]
        path.write_text("\n".join(text) + "\n")
        labs.append(Lab(str(path), stderr=subprocess.PIPE))
        page = open_page(labs[-1].address, **options)
        pages.append(page)
        wait_for_run(page)
        return page

    opened.labs = labs
    yield opened
    for page in pages:  # before the labs: a page complains on its console when its server is gone
        page.close()
    for lab in labs:
        lab.stop()
        lab.process.stderr.close()


def points(n, scale=(1.0, 1.0), centre=0.0):
    X = np.random.default_rng(0).normal(size=(n, 2))
    return [(*(row * scale + centre), "star" if row[0] > row[1] else "planet") for row in X]


def axis_texts(page):
    """The texts of the plane, as its SVG has them."""
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG", exact=True).click()
    return re.findall(r"<text[^>]*>([^<]*)</text>", download.value.path().read_text())


def test_a_file_of_more_rows_than_the_lab_shows_opens_as_a_random_sample_that_says_so(open_file):
    page = open_file(["u", "v"], points(10_500))
    assert "10,000 points in 2 classes. A random sample of 10,500 rows." in page.locator(".summary").inner_text()
    assert len(state(page, "data.points")) == 10_000
    (lab,) = open_file.labs
    lab.stop()
    assert "note: the lab shows 10,000 of the 10,500 rows, drawn at random" in lab.process.stderr.read()


def test_a_text_among_the_columns_is_left_out_with_a_note(tmp_path, open_page):
    words = ["great", "slow", "refund", "support", "never", "again", "invoice", "order", "late", "fine"]
    random = np.random.default_rng(0)
    rows = [f"{a},{b},{' '.join(random.choice(words, 6))},{int(a > b)}" for a, b in random.normal(size=(60, 2))]
    path = tmp_path / "notes.csv"
    path.write_text("u,v,comment,late\n" + "\n".join(rows) + "\n")
    lab = Lab(str(path), stderr=subprocess.PIPE)
    page = open_page(lab.address)
    wait_for_run(page)
    assert state(page, "data.allColumns") == ["u", "v"]
    page.close()
    lab.stop()
    assert (
        "note: the lab leaves out 'comment', because texts have too many features to show" in lab.process.stderr.read()
    )
    lab.process.stderr.close()


def test_the_set_has_the_name_of_the_file_without_its_folders(open_file):
    page = open_file(["u", "v"], points(10))
    assert state(page, "data.name") == "own.csv"
    assert page.get_by_label("Data set").locator("option:checked").inner_text() == "own.csv"


def test_huge_values_are_written_with_a_power_of_ten_and_zooming_does_not_jump(open_file):
    page = open_file(["mass", "radius"], points(40, (1e15, 1e15), 3e16))
    texts = axis_texts(page)
    assert "3e16" in texts
    assert max(map(len, texts)) < 30
    page.locator("canvas").first.hover()
    page.mouse.wheel(0, -100)
    page.wait_for_timeout(500)
    assert "3e16" in axis_texts(page)


def test_numbers_of_an_axis_far_from_zero_are_distinct(open_file):
    page = open_file(["time", "level"], points(40, (50_000, 50_000), 1_700_000_000))
    numbers = [text for text in axis_texts(page) if text.endswith("e9")]
    assert len(numbers) >= 4
    assert len(set(numbers)) >= len(numbers) / 2  # the two axes may share numbers, but none repeats on its own axis


def test_two_columns_of_different_ranges_are_explained_and_can_be_scaled(open_file):
    page = open_file(["age", "income"], points(60, (10, 20_000)))
    hint = page.locator("[data-key=unequal]")
    assert "The range of income is" in hint.inner_text()
    page.locator("[data-key=standardize]").check()
    hint.wait_for(state="detached")
    shown = state(page, "data.points")
    across, up = (np.ptp([point[axis] for point in shown]) for axis in "xy")
    assert 0.5 < up / across < 2


def test_on_a_phone_the_program_of_many_points_does_not_bury_the_data_panel(open_file):
    page = open_file(["u", "v"], points(200), viewport={"width": 390, "height": 844})
    assert page.get_by_label("The same run in Python").bounding_box()["height"] < 400
