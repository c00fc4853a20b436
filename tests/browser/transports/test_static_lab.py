"""The lab without a server: the folder on a plain web server, and the single file from disk."""

import html
import re
import time

import pytest

from rosenblatt.lab.page.site import single_file
from tests.browser.conftest import state, wait_for_run, weights


def test_it_opens_with_a_separable_set_run_to_its_end_and_its_verdict(static_lab, open_page):
    page = open_page(static_lab, offline=static_lab.startswith("file:"))
    wait_for_run(page)
    page.locator(".panel-proof[data-proof=separable]").wait_for()
    assert state(page, "sides.0.payload.ending.status") == "separated"
    assert state(page, "sides.0.at") == state(page, "sides.0.replay.length")
    assert page.locator(".panel-proof .most").inner_text() == "51"


def test_all_it_requests_is_in_its_own_folder(site, chromium):
    page = chromium.new_page()
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    started = time.perf_counter()
    page.goto(site)
    wait_for_run(page)
    seconds = time.perf_counter() - started
    page.get_by_label("Data set").select_option("iris")
    page.locator(".panel-data .summary", has_text="150 points").wait_for()
    page.close()
    assert all(url.startswith(site.removesuffix("index.html")) for url in requested)
    print(f"\nstatic lab: {len(requested)} requests, first step after {seconds:.2f} s")


def test_the_sizes_are_those_of_a_page(folder, one_file):
    files = [path for path in folder.rglob("*") if path.is_file()]
    total = sum(path.stat().st_size for path in files)
    single = len(single_file().encode())
    print(f"\nstatic lab: {len(files)} files, {total / 1000:.0f} kB; single file {single / 1000:.0f} kB")
    assert total < 2_000_000
    assert single < 2_000_000


LINKS = {
    "two columns": "#points=0.1,0.2,0;3,4.5,1;-1,2,0;2,-1.5,1&classes=a,b&rule=L3&eta0=0.1&init=zeros&at=3",
    "many columns": "#points=0.1,0.2,1e-7,0;3,4.5,2,1;-1,2,9,2&classes=a,b,c&columns=u,v,w&view=weights&rule=L0"
    "&init=zeros&multi_class=ovo&watch=1&at=2",
    "a set": "#data=iris&columns=2,3&standardize=1&rule=L1&max_steps=700&random_state=3&order=shuffle&at=4",
    "two runs": "#data=and&rule=L0&tie=positive&init=zeros&at=5&b.rule=L3&b.at=7&b.init=random&hide=vectors",
    "a kernel": "#data=xor&rule=L0&init=zeros&bench=nonlinear&nonlinear.kernel=poly&nonlinear.moment=3",
}
KEYS = [
    "sides.0.rule",
    "sides.0.at",
    "sides.0.focus",
    "sides.1.rule",
    "sides.1.at",
    "data.points",
    "data.classes",
    "show",
]
KEYS += ["show", "data.slice", "compare", "bench", "nonlinear.kernel", "nonlinear.moment"]


@pytest.mark.parametrize("case", LINKS)
def test_a_copied_link_restores_the_state_to_the_last_bit_in_a_fresh_browser(site, open_page, case):
    page = open_page(site + LINKS[case])
    wait_for_run(page)
    if "bench" not in LINKS[case]:
        page.keyboard.press("m")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("document.querySelector('.panel-save').hidden = false")  # it is not beside a kernel
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(site)
    other = open_page(link)
    wait_for_run(other)
    other.wait_for_function("() => !rosenblattLab.store.state.sides.some(({ busy }) => busy)")
    for key in KEYS:
        assert state(other, key) == state(page, key), key
    assert weights_of(other) == weights_of(page)


def weights_of(page):
    return page.evaluate(
        "rosenblattLab.store.state.sides.map(({ replay, at }) =>"
        " replay && replay.tracks.map((track) => Array.from(track.weights(at))))"
    )


def test_what_is_too_long_for_an_address_is_said_and_saved_as_a_file(site, lab, open_page, tmp_path):
    page = open_page(site)
    wait_for_run(page)
    page.evaluate(
        "rosenblattLab.actions.setPoints({ source: { job: 'points' }, name: 'mine', classes: ['a', 'b'],"
        " columns: ['x1', 'x2'], allColumns: [], slice: null, points: Array.from({ length: 900 }, (_, i) =>"
        " ({ x: Math.sin(i) * 3, y: Math.cos(2 * i) + (i % 2), c: i % 2 })) }, [77, 0])"
    )
    page.wait_for_function("() => rosenblattLab.store.state.sides[0].at === 77")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("900 points are too long for an address.").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / "mine.lab")
    for address in (site, lab.address):
        other = open_page(address)
        wait_for_run(other)
        other.get_by_label("Upload a CSV file").set_input_files(tmp_path / "mine.lab")
        other.wait_for_function("() => rosenblattLab.store.state.sides[0].at === 77")
        assert state(other, "data.points") == state(page, "data.points")
        assert state(other, "sides.0.rule") == state(page, "sides.0.rule")
        assert weights(other) == weights(page)


def test_a_link_of_the_static_lab_opens_in_the_local_one(site, lab, open_page):
    page = open_page(site + "#data=and&rule=L0&tie=positive&init=zeros&at=5")
    wait_for_run(page)
    local = open_page(lab.address + page.evaluate("location.hash"))
    wait_for_run(local)
    assert weights(local) == weights(page)


def test_embedded_it_shows_the_plane_without_the_frame_around(site, open_page):
    for address in ("#embed", "#data=xor&rule=L0&tie=positive&init=zeros&embed"):
        page = open_page(site + address)
        wait_for_run(page)
        assert page.locator("canvas.plane").first.is_visible()
        assert page.get_by_role("button", name="Next mistake").is_visible()
        assert not page.get_by_role("button", name="Help").is_visible()
        page.keyboard.press("m")
        assert "embed" in page.evaluate("location.hash")


def test_the_copied_line_of_html_shows_the_lab_in_another_page(site, folder, open_page):
    page = open_page(site + "#data=xor&rule=L0&tie=positive&init=zeros&at=3")
    wait_for_run(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy embed code").click()
    page.get_by_text("Paste it into a page.").wait_for()
    line = page.evaluate("navigator.clipboard.readText()")
    assert html.unescape(re.search('src="([^"]+)"', line)[1]).startswith(site)
    (folder / "course.html").write_text(
        f"<!doctype html><title>Course</title><link rel=icon href=data:,><p>See:</p>{line}"
    )
    course = open_page(site.replace("index.html", "course.html"))
    frame = course.frame_locator("iframe")
    frame.locator("#lab[data-state=ready]").wait_for()
    assert frame.locator("canvas.plane").first.is_visible()
    assert not frame.get_by_role("button", name="Help").is_visible()
