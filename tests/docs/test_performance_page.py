"""The picture of the page about speed shows the page's own figures."""

import runpy

from tests.docs.pages import DOCS


def test_the_picture_shows_every_line_of_the_table():
    made = runpy.run_path(str(DOCS / "make_performance.py"))
    picture = (DOCS / "images" / "ratios.svg").read_text(encoding="utf-8")
    lines = made["rows"]()
    assert len(lines) > 10
    for workload, _, least, most in lines:
        assert workload in picture, "run: python docs/make_performance.py"
        assert (f">{least:g}<" if least == most else f">{least:g}–{most:g}<") in picture
