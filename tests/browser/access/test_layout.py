"""The layout: step, play and numbers without scrolling; edges in line; targets for a thumb; a readable time line."""

import itertools

import pytest

from tests.browser.access.test_stories import is_in_sight
from tests.browser.conftest import state, wait_for_run

STATES = {
    "two points": "#data=lecture4&rule=L4&at=2",
    "more columns than two": "#data=majority&rule=L0&tie=positive&init=zeros&at=20",
    "pocket": "#data=xor&rule=L0&tie=positive&init=zeros&algorithm=pocket&max_iter=5&at=3",
    "batch": "#data=and&rule=L0&init=zeros&algorithm=batch&at=2",
    "German": "#data=lecture4&rule=L4&at=2&lang=de",
    "two runs": "#data=and&rule=L0&tie=positive&init=zeros&at=4&b.rule=L3&b.init=zeros&b.eta0=2&b.at=4",
}


@pytest.mark.parametrize("name", STATES)
def test_step_play_and_the_step_are_above_the_fold(lab, open_page, name):
    page = open_page(lab.address + STATES[name], viewport={"width": 1280, "height": 800})
    wait_for_run(page)
    for selector in (
        ".plane",
        ".scrub",
        ".panel-time .controls",
        ".under",
        ".panel-step .verdict",
        ".panel-step .weights",
    ):
        if page.locator(selector).count():
            assert is_in_sight(page, selector), selector
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    assert page.locator(".plane").first.bounding_box()["height"] > 350


def test_edges_are_in_line_on_a_wide_screen(lab, open_page):
    page = open_page(lab.address, viewport={"width": 1920, "height": 1080})
    wait_for_run(page)
    left = [page.locator(each).first.bounding_box()["x"] for each in (".brand", ".benches button", ".panel-data h2")]
    right = [
        box["x"] + box["width"]
        for box in (page.locator(each).bounding_box() for each in (".help-button", ".stories-button", ".area.right"))
    ]
    assert max(left) - min(left) < 1.5
    assert max(right) - min(right) < 1.5
    page.keyboard.press("s")
    assert abs(page.locator(".story h2").bounding_box()["x"] - left[0]) < 1.5


def test_no_gap_is_left_between_panels(page):
    """The step panel ends where its numbers end, or at its least height."""
    page.keyboard.press("m")
    step, proof = page.locator(".panel-step").bounding_box(), page.locator(".panel-proof").bounding_box()
    last = page.locator(".panel-step .weights").bounding_box()
    assert proof["y"] - (last["y"] + last["height"]) < 60
    assert proof["y"] - (step["y"] + step["height"]) < 30


@pytest.mark.parametrize("hash_", ["#data=majority&rule=L0&tie=positive&init=zeros", "#story=pocket"])
def test_targets_for_a_thumb_are_44_pixels(lab, open_page, hash_):
    page = open_page(lab.address + hash_, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wait_for_run(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll("#lab :is(button, select, summary, label.check, .button, input)")]
            .filter((e) => !e.matches("[type=checkbox], [type=file]"))
            .filter((e) => e.checkVisibility())
            .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
            .filter(([, {width, height}]) => width < 43.5 || height < 43.5)
            .map(([html, {width, height}]) => [html, width, height])"""
    )
    assert small == []


@pytest.mark.slow
def test_the_time_line_of_20000_examples_can_be_read(lab, open_page):
    page = open_page(
        f"{lab.address}#data=spirals&rule=L0&tie=positive&init=zeros&max_steps=20000",
        viewport={"width": 1280, "height": 800},
    )
    wait_for_run(page)
    assert state(page, "sides.0.payload.problems.0.presented") == 20_000
    labels = page.locator(".scale span")
    assert labels.all_inner_texts() == ["0", "5,000", "10,000", "15,000", "20,000"]
    boxes = [labels.nth(k).bounding_box() for k in range(labels.count())]
    assert all(a["x"] + a["width"] + 8 < b["x"] for a, b in itertools.pairwise(boxes))
    heights = page.evaluate(
        "[...document.querySelector('.mistake-bars').getAttribute('d').matchAll(/ 20v(-[\\d.]+)/g)].map((m) => -m[1])"
    )
    assert 100 < len(heights) <= 240
    assert len(set(heights)) > 2, "the height tells how many mistakes there are"
    path = page.locator(".mistake-bars").bounding_box()
    assert path["height"] > 8


def test_every_step_is_told_to_a_screen_reader(page):
    spoken = page.locator(".panel-step .spoken[role=status]")
    page.keyboard.press("ArrowRight")
    assert spoken.inner_text().startswith("Step 1 of 10. Class 1 at (5, 7), score 2. On the right side: w stays.")
    page.keyboard.press("ArrowRight")
    assert "score 1. A mistake. w is now [−6, −2, −5]." in spoken.inner_text()
    assert page.locator(".panel-step .spoken").bounding_box()["width"] <= 1


def test_every_problem_has_its_arithmetic(lab, open_page):
    page = open_page(f"{lab.address}#story=classes", viewport={"width": 1280, "height": 800})
    wait_for_run(page)
    page.keyboard.press("ArrowRight")
    rows = page.locator(".problems [data-problem]")
    assert rows.count() == 3
    for k in range(3):
        expected = page.evaluate(
            """k => {
                const {replay, at} = rosenblattLab.store.state.sides[0];
                const track = replay.tracks[k], m = track.updateAt(at);
                const before = m >= 0 ? track.weightsAfter(m) : track.weights(at);
                return [track.scoreOf(before, track.exampleAt(at)), Array.from(track.weights(at))];
            }""",
            k,
        )
        shown = rows.nth(k).inner_text().replace("−", "-")
        assert f"= {expected[0]:g}" in shown
        assert f"[{', '.join(f'{value:g}' for value in expected[1])}]" in shown


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_banner_and_tabs_take_one_row_each(site, open_page, language):
    page = open_page(f"{site}#data=and&lang={language}", viewport={"width": 390, "height": 844}, has_touch=True)
    wait_for_run(page)
    for row in (".banner-tools", ".benches"):
        tops = {round(box["y"]) for box in (each.bounding_box() for each in page.locator(f"{row} > *").all())}
        assert len(tops) == 1, row


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_choice_of_the_rule_can_be_read_whole(site, open_page, language):
    page = open_page(f"{site}#data=iris&columns=2,3&lang={language}", viewport={"width": 1280, "height": 800})
    wait_for_run(page)
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".panel-rule select, .panel-data select")].flatMap((select) => {
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = getComputedStyle(select).font;
            return [...select.options].map(({ text }) => text)
                .filter((text) => pen.measureText(text).width > select.clientWidth - 28);
        })"""
    )
    assert cut == []
