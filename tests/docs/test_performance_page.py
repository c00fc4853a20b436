"""The page about speed and its pictures show what the kept report of a run says."""

from benchmarks.records import Report
from benchmarks.table import times

from benchmarks import chart, page


def test_the_page_agrees_with_the_report():
    text = page.PAGE.read_text(encoding="utf-8")
    assert len(page.MARKS.findall(text)) > 10
    assert page.page(Report.read(page.KEPT), text) == text, "run: python -m benchmarks.page"


def test_the_picture_shows_every_goal():
    picture = (page.IMAGES / "ratios.svg").read_text(encoding="utf-8")
    lines = page.goals(Report.read(page.KEPT))
    assert len(lines) > 10
    for result in lines:
        assert chart.name(result) in picture, "run: python -m benchmarks.page"
        assert f">{times(result.ratio)}<" in picture
