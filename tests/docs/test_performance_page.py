"""The page about speed and its pictures show what the kept report of a run says."""

import runpy

from tests.docs.pages import DOCS


def test_the_page_is_what_the_report_makes_of_it():
    made = runpy.run_path(str(DOCS / "make_performance.py"))
    report = made["Report"].read(DOCS / "performance.json")
    text = (DOCS / "performance.md").read_text(encoding="utf-8")
    assert len(made["MARKS"].findall(text)) > 10
    assert made["page"](report, text) == text, "run: python docs/make_performance.py"


def test_the_picture_shows_every_goal():
    made = runpy.run_path(str(DOCS / "make_performance.py"))
    report = made["Report"].read(DOCS / "performance.json")
    picture = (DOCS / "images" / "ratios.svg").read_text(encoding="utf-8")
    lines = made["goals"](report)
    assert len(lines) > 10
    for result in lines:
        assert made["chart"].name(result) in picture, "run: python docs/make_performance.py"
        assert f">{made['times'](result.ratio)}<" in picture
