"""Each lesson can be completed by keyboard alone, and knows when it was done, not before."""

import pytest

from tests.browser.conftest import state, wait_for_run

PATIENCE = 120_000

LESSONS = ["represent", "learn", "converge", "inseparable", "noise", "classes", "kernel"]


@pytest.fixture
def lesson(lab, open_page):
    def opened(name):
        page = open_page(f"{lab.address}#lesson={name}")
        page.set_default_timeout(PATIENCE)
        wait_for_run(page)
        page.locator(f".lesson[data-lesson={name}]").wait_for()
        assert not is_done(page)
        return page

    return opened


def is_done(page):
    return "Done" in page.locator(".check-said").inner_text()


def wait_until_done(page):
    page.locator(".lesson.done").wait_for()
    assert is_done(page)


def tab_to(page, selector):
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never reached {selector}")


def test_the_first_lesson_what_can_it_represent(lesson):
    page = lesson("represent")
    page.locator(".bit").first.wait_for()
    tab_to(page, "[data-row='3']")
    page.keyboard.press("Space")
    wait_until_done(page)
    assert "".join(page.locator(".bit").all_inner_texts()) == "0110"


def test_how_does_it_learn_wants_a_mistake_seen_and_then_the_end(lesson):
    page = lesson("learn")
    page.keyboard.press("End")
    assert not is_done(page)
    page.keyboard.press("Home")
    page.keyboard.press("m")
    assert not is_done(page)
    page.keyboard.press("End")
    wait_until_done(page)


@pytest.mark.slow
def test_why_does_it_converge(lesson):
    page = lesson("converge")
    page.locator("[data-bound]").wait_for()
    before = page.locator("[data-bound]").get_attribute("data-bound")
    page.keyboard.press("End")
    mistakes = page.locator(".so-far").inner_text()
    assert not is_done(page)
    tab_to(page, "[data-key=eta0]")
    page.keyboard.press("Control+A")
    page.keyboard.type("0.25")
    page.keyboard.press("Enter")
    wait_until_done(page)
    page.keyboard.press("Tab")
    tab_to(page, "canvas")
    page.keyboard.press("End")
    assert page.locator(".so-far").inner_text() == mistakes
    assert page.locator("[data-bound]").get_attribute("data-bound") == before


@pytest.mark.slow
def test_what_if_no_line_separates_them(lesson):
    page = lesson("inseparable")
    page.keyboard.press("End")
    page.locator(".cycle").wait_for()
    assert not is_done(page)
    tab_to(page, "canvas")
    page.keyboard.press("x")
    across, up = page.evaluate(
        """async () => {
            const {toPixel} = await import('/static/view.js');
            const {view} = rosenblattLab.planes[0], [px, py] = toPixel(view, 1, 1);
            return [Math.round((px - view.width / 2) / 16), Math.round((view.height / 2 - py) / 16)];
        }"""
    )
    for key, times in (("ArrowRight", across), ("ArrowUp", up)):
        for _ in range(times):
            page.keyboard.press(key)
    page.keyboard.press("Enter")
    wait_until_done(page)
    assert len(state(page, "data.points")) == 3


def test_what_about_noise(lesson):
    page = lesson("noise")
    for name in ("pocket", "average"):
        tab_to(page, f"[data-beside={name}]")
        page.keyboard.press("Space")
    assert not is_done(page)
    for _ in range(3):
        page.keyboard.press("e")
    wait_until_done(page)


@pytest.mark.slow
def test_what_about_many_classes(lesson):
    page = lesson("classes")
    tab_to(page, ".panel-votes button")
    page.keyboard.press("Enter")
    page.locator(".vote-table[data-side='1']").wait_for()
    wait_for_run(page)
    place = page.evaluate(
        """async () => {
            const {votesAt} = await import('/static/votes.js');
            const {sides} = rosenblattLab.store.state;
            for (let x = -1; x <= 8; x += 0.5) for (let y = -1; y <= 2; y += 0.5) {
                const winners = sides.map((s) => votesAt(s.payload, s.replay.planes(s.at), x, y).winner);
                if (winners[0] !== winners[1]) return [x, y];
            }
            return null;
        }"""
    )
    for label, value in zip(("Place, x", "Place, y"), place, strict=True):
        tab_to(page, f"[aria-label='{label}']")
        page.keyboard.press("Control+A")
        page.keyboard.type(str(value))
        page.keyboard.press("Enter")
    wait_until_done(page)


@pytest.mark.slow
def test_and_the_kernel(lesson):
    page = lesson("kernel")
    page.locator(".panel-beyond[data-state=unsolved]").wait_for()
    tab_to(page, "select[data-key=kernel]")
    page.keyboard.press("Home")
    wait_until_done(page)
    assert state(page, "beyond.kernel") == "rbf"


@pytest.mark.slow
def test_the_path_is_walked_by_keyboard_from_the_first_lesson_to_the_last(page):
    page.set_default_timeout(PATIENCE)
    page.keyboard.press("l")
    for name in LESSONS:
        page.locator(f".lesson[data-lesson={name}]").wait_for()
        wait_for_run(page)
        if name != LESSONS[-1]:
            tab_to(page, "[data-part=next]")
            page.keyboard.press("Enter")
    assert page.locator("[data-part=next]").is_disabled()
