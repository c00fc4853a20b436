"""The lab opens with L4's worked example, and its numbers are the lecture's."""

from rosenblatt.lab.server.redirect import redirect_file
from tests.browser.conftest import wait_for_run, weights


def test_the_page_opens_with_the_fourth_lectures_example(page):
    assert weights(page) == [-5, 0, 1]
    assert "start" in page.locator(".where").inner_text().lower()


def test_the_first_two_examples_give_the_lectures_numbers(page):
    page.keyboard.press("ArrowRight")
    step = page.locator(".panel-step")
    assert "= 2" in step.inner_text()
    assert "w stays" in step.inner_text()
    assert weights(page) == [-5, 0, 1]
    page.keyboard.press("ArrowRight")
    text = step.inner_text()
    assert "= 1" in text
    assert "A mistake" in text
    assert "[−5, 0, 1] + 1·(−1)·[1, 2, 6]" in text
    assert weights(page) == [-6, -2, -5]
    page.keyboard.press("ArrowRight")
    assert "= −51" in step.inner_text()


def test_the_run_ends_where_the_lecture_left_it_to_the_reader(page):
    page.keyboard.press("End")
    assert weights(page) == [-6, 7, -2]
    assert "7 mistakes" in page.locator(".where").inner_text()
    assert "separated" in page.locator(".caption").first.inner_text()


def test_opening_the_page_transfers_less_than_200_kilobytes(lab, chromium):
    page = chromium.new_page()
    finished = []
    page.on("requestfinished", lambda request: finished.append(request))
    page.goto(lab.address)
    wait_for_run(page)
    sizes = [request.sizes() for request in list(finished)]
    page.close()
    assert len(sizes) > 20
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) < 200_000


def test_the_file_that_the_browser_is_started_with_leads_to_the_lab_which_can_then_be_reloaded(lab, open_page):
    with redirect_file(lab.address) as address:
        page = open_page(address)
        wait_for_run(page)
    assert page.url.startswith(lab.root)
    assert "token" not in page.url
    page.reload()
    wait_for_run(page)
