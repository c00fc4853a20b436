"""The line turns and w moves between two steps, and nothing moves for those who prefer no motion."""

import pytest

from tests.browser.conftest import wait_for_run

LINE = """() => {
    const {store, planes} = rosenblattLab;
    const ink = planes[0].theme().line;
    const line = planes[0].shapes().find(({kind, stroke, width}) => kind === "line" && stroke === ink && width === 2.6);
    const tip = planes[0].shapes().filter(({kind, width}) => kind === "arrow" && width === 3)[0];
    return [...line.a, ...line.b, ...(tip ? tip.b : [])];
}"""


def at_time(page, milliseconds):
    page.evaluate("t => { window.fixedTime = t; }", milliseconds)
    return page.evaluate(LINE)


@pytest.fixture
def stopped_clock(lab, open_page):
    def opened(**options):
        page = open_page(f"{lab.address}#data=lecture4&rule=L4&at=2", **options)
        wait_for_run(page)
        page.evaluate("() => { window.fixedTime = 1e6; performance.now = () => window.fixedTime; }")
        return page

    return opened


def test_the_line_turns_and_w_moves_between_steps(stopped_clock):
    page = stopped_clock()
    before = page.evaluate(LINE)
    page.keyboard.press("ArrowRight")
    start = at_time(page, 1e6)
    middle = at_time(page, 1e6 + 130)
    end = at_time(page, 1e6 + 1000)
    assert start[:4] == pytest.approx(before[:4])
    assert end[:4] != pytest.approx(before[:4], abs=1)
    assert middle[:4] != pytest.approx(start[:4], abs=1)
    assert middle[:4] != pytest.approx(end[:4], abs=1)
    tips = [each[4:] for each in (start, middle, end)]
    for axis in (0, 1):
        assert min(tips[0][axis], tips[2][axis]) - 1e-6 <= tips[1][axis] <= max(tips[0][axis], tips[2][axis]) + 1e-6
        assert tips[1][axis] == pytest.approx((tips[0][axis] + tips[2][axis]) / 2, abs=0.5), (
            "half the time, half the way"
        )


def test_nothing_moves_if_the_person_prefers_no_motion(stopped_clock):
    page = stopped_clock(reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert at_time(page, 1e6) == at_time(page, 1e6 + 1000)


def test_steps_that_follow_each_other_quickly_are_not_slowed_down(stopped_clock):
    page = stopped_clock()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at_time(page, 1e6 + 1) == at_time(page, 1e6 + 1000)


def test_a_picture_of_the_end_is_the_end(stopped_clock):
    """What is saved or compared after the motion has the exact weights of the run."""
    page = stopped_clock()
    page.keyboard.press("End")
    moved = at_time(page, 1e6 + 1000)
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert at_time(page, 1e6 + 5000) == moved
