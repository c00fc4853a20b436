"""For everybody: by keyboard alone, on a phone, in the dark, with names for what is only drawn."""

import pytest

from tests.browser.conftest import state, wait_for_run, weights


def tab_to(page, name):
    for _ in range(80):
        page.keyboard.press("Tab")
        if (
            page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
            == name
        ):
            return
    raise AssertionError(f"Tab never reached {name!r}")


def test_a_whole_session_by_keyboard_alone(page):
    page.keyboard.press("m")
    assert weights(page) == [-6, -2, -5]
    page.keyboard.press("M")
    assert weights(page) == [-5, 0, 1]
    page.keyboard.press("End")
    assert weights(page) == [-6, 7, -2]
    tab_to(page, "Clear")
    page.keyboard.press("Enter")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "CANVAS":
            break
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    wait_for_run(page)
    points = state(page, "data.points")
    assert [point["c"] for point in points] == [0, 1]
    assert points[1]["x"] > points[0]["x"]
    page.keyboard.press("End")
    assert "separated" in page.locator(".caption").first.inner_text()
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    page.locator(".panel-data .summary", has_text="1 point").wait_for()


def test_help_lists_the_keys_and_closes_by_keyboard(page):
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    assert "next or the last mistake" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")


def test_focus_is_visible(page):
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_overflows_at_any_width(lab, open_page, width):
    page = open_page(lab.address, viewport={"width": width, "height": 800})
    wait_for_run(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("canvas").first.bounding_box()["width"] > 0.4 * width
    page.get_by_role("button", name="Next mistake").click()
    assert weights(page) == [-6, -2, -5]


def test_every_control_has_a_name(page):
    page.get_by_label("Data set").select_option("iris")
    page.get_by_label("Across").wait_for()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, canvas, svg[role=img]")]
            .filter((e) => !e.getAttribute("aria-label") && !e.textContent.trim())
            .filter((e) => !e.closest("label")?.textContent.trim())
            .map((e) => e.outerHTML)"""
    )
    assert nameless == []


CONTRAST = """() => {
    const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const ground = (e) => {
        for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] === 1) return c;
        }
        return [255, 255, 255];
    };
    const low = [];
    const walker = document.createTreeWalker(document.querySelector("#lab"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !e.checkVisibility()) continue;
        if (e.closest("option, [disabled], svg")) continue;
        const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) low.push([walker.currentNode.textContent.trim(), e.className, ratio]);
    }
    return low;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(lab, open_page, scheme):
    page = open_page(f"{lab.address}#data=lecture4&rule=L4&at=2", color_scheme=scheme)
    wait_for_run(page)
    assert page.evaluate(CONTRAST) == []
    page.get_by_label("Data set").select_option("iris")
    page.get_by_label("Across").wait_for()
    wait_for_run(page)
    assert page.evaluate(CONTRAST) == []


def test_the_system_colours_are_followed_until_the_switch_is_used(lab, open_page):
    page = open_page(lab.address, color_scheme="dark")
    wait_for_run(page)
    assert state(page, "dark") is True
    page.get_by_role("button", name="Switch to light").click()
    assert state(page, "dark") is False
    assert "light" in page.locator("#lab").get_attribute("class")
