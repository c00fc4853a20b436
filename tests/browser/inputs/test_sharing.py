"""What can be taken along: the address, and one file that replays without a server."""

import re

import pytest

from tests.browser.conftest import state, wait_for_run, wait_for_state, weights
from tests.lab.servers import Lab


def test_the_address_restores_the_run_the_rule_and_the_step(page, lab, open_page):
    page.get_by_label("Data set").select_option("and")
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    page.locator("select[data-key=convention]").select_option("L3")
    wait_for_run(page)
    page.keyboard.press("m")
    page.keyboard.press("m")
    page.wait_for_url(re.compile(rf"[#&]at={state(page, 'sides.0.at')}(&|$)"))
    other = open_page(lab.address + page.evaluate("location.hash"))
    wait_for_run(other)
    for key in ("sides.0.rule", "sides.0.at", "data.points", "show"):
        assert state(other, key) == state(page, key)
    assert weights(other) == weights(page)


STARTS = {
    "#data=iris": ("zeros", [0, 0, 0, 0, 0]),
    "#data=xor&rule=L0": ("zeros", [0, 0, 0]),
    "#data=lecture4": ("given", [-5, 0, 1]),
    "#data=and&start=1,2,3": ("given", [1, 2, 3]),
    "#data=and&init=given": ("given", [-5, 0, 1]),
    "#data=and&rule=L0&b.rule=L3": ("zeros", [0, 0, 0]),
}


def test_a_typed_address_takes_the_start_of_the_set_that_it_names(site, open_page):
    """The start of L4's example belongs to its two points."""
    page, other = open_page(site), open_page(site)
    for address in STARTS:
        typed(page, address)
        init, start = STARTS[address]
        for side in (0, 1) if "b.rule" in address else (0,):
            wait_for_state(page, f"sides.{side}.rule.init", init)
            wait_for_state(page, f"sides.{side}.payload.problems.0.start", start)
        wait_for_run(page)
        page.keyboard.press("m")
        page.wait_for_url(re.compile("[#&]at=[1-9]"))
        typed(other, page.evaluate("location.hash"))
        assert_same_state(page, other)


def typed(page, address):
    """Opens an address as it is typed into the line above the page."""
    page.evaluate("async (hash) => { location.hash = hash; await new Promise((go) => setTimeout(go, 50)); }", address)
    wait_for_run(page)


def test_painted_points_are_in_the_address(lab, open_page):
    page = open_page(f"{lab.address}#points=0.1,0.2,0;3,4.5,1;-1,2,2&classes=a,b,c&rule=L0&tie=positive&init=zeros")
    wait_for_run(page)
    assert state(page, "data.points") == [
        {"x": 0.1, "y": 0.2, "c": 0},
        {"x": 3, "y": 4.5, "c": 1},
        {"x": -1, "y": 2, "c": 2},
    ]
    page.keyboard.press("m")
    page.wait_for_url(re.compile("[#&]at=1(&|$)"))
    assert "points=0.1,0.2,0;3,4.5,1;-1,2,2" in page.evaluate("location.hash")


def test_the_token_leaves_the_address_at_once(page):
    assert "token" not in page.url


def test_a_nonsense_address_opens_all_the_same(lab, open_page):
    page = open_page(f"{lab.address}#data=../../etc&rule=L9&at=x&columns=a,b")
    page.get_by_role("alert").filter(has_text="no built-in data set").wait_for()


PAINTED = "#points=0.1,0.2,0;3,4.5,1;-1,2,2;0.30000000000000004,1,1&classes=no,a%252Cb,c&columns=u,v&rule=L2&at=3"


def copied_link(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def pasted_into(page, link):
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Rows of numbers and a class").fill(link)
    page.get_by_role("button", name="Use it").click()
    page.locator("dialog.paste").wait_for(state="hidden")
    wait_for_run(page)


def assert_same_state(page, other):
    for key in ("sides.0.rule", "sides.0.at", "data.points", "data.classes", "data.columns", "show"):
        assert state(other, key) == state(page, key), key
    assert weights(other) == weights(page)


def test_a_link_copied_in_one_lab_opens_in_every_other(lab, site, one_file, open_page):
    """Local labs have ports and tokens of their own: the address of one is no address of another, so it is pasted."""
    with Lab() as second:
        addresses = [lab.address, second.address, site, one_file]
        pages = {address: open_page(address + PAINTED) for address in addresses}
        links = {}
        for address, page in pages.items():
            wait_for_run(page)
            links[address] = copied_link(page)
            assert "token" not in links[address]
        assert len({link.partition("#")[2] for link in links.values()}) == 1, "what follows # depends on the lab"
        for address, link in links.items():
            other = open_page(addresses[addresses.index(address) - 1])
            wait_for_run(other)
            pasted_into(other, link)
            assert_same_state(pages[address], other)


def test_a_link_of_a_local_lab_opens_in_this_browser_and_the_page_says_so(lab, open_page):
    page = open_page(lab.address + PAINTED)
    wait_for_run(page)
    link = copied_link(page)
    assert page.get_by_text("It opens in this browser while this lab runs.").is_visible()
    other = page.context.new_page()
    other.goto(link)
    wait_for_run(other)
    assert_same_state(page, other)


def test_a_pasted_link_that_was_cut_says_so(site, open_page):
    page = open_page(site + PAINTED)
    wait_for_run(page)
    link = copied_link(page)
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Rows of numbers and a class").fill(link[:-9])
    page.get_by_role("button", name="Use it").click()
    page.locator("dialog .error", has_text="This link was cut").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("compare", [False, True])
def test_the_exported_file_replays_with_the_server_stopped(open_page, tmp_path, compare):
    lab = Lab()
    try:
        page = open_page(lab.address)
        wait_for_run(page)
        if compare:
            page.get_by_role("button", name="Compare two runs").click()
            page.locator("[data-side='1'] .w").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="HTML replay").click()
        saved = tmp_path / "replay.html"
        download.value.save_as(saved)
        page.close()
    finally:
        lab.stop()
    assert "__LAB_DATA__" not in saved.read_text()
    offline = open_page(saved.as_uri(), offline=True)
    wait_for_run(offline)
    assert weights(offline) == [-5, 0, 1]
    offline.keyboard.press("m")
    assert weights(offline) == [-6, -2, -5]
    offline.keyboard.press("End")
    assert weights(offline) == [-6, 7, -2]
    offline.locator(".panel-time .scrub").evaluate("(e) => { e.value = 2; e.dispatchEvent(new Event('input')); }")
    assert weights(offline) == [-6, -2, -5]
    assert offline.locator("canvas:visible").count() == 1 + compare
    assert offline.get_by_role("button", name="Paint").count() == 0


def test_a_link_of_version_0_1_opens_the_nonlinear_bench(lab, open_page):
    page = open_page(f"{lab.address}#data=xor&rule=L0&bench=beyond&beyond.way=features&beyond.features=product")
    page.locator(".panel-nonlinear[data-state=solved]").wait_for()
    assert state(page, "nonlinear.method") == "features"
