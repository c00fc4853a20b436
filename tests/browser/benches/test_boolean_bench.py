"""The Boolean bench on AND, XOR, majority and a broken expression: what it shows is what `rosenblatt.boolean` says."""

import re
from urllib.parse import quote

import pytest

from rosenblatt.boolean import BooleanFunction
from tests.browser.conftest import wait_for_run


@pytest.fixture
def bench(lab, open_page):
    def opened(address):
        page = open_page(f"{lab.address}#bench=boolean&{address}")
        wait_for_run(page)
        settled(page)
        return page

    return opened


def settled(page):
    page.locator(".panel-boolean[data-state=ready], .panel-boolean[data-state=error]").wait_for(timeout=30_000)


def bits(page):
    return "".join(page.locator(".bit").all_inner_texts())


def test_and_shows_its_unit_and_the_third_lectures_range(bench):
    page = bench("expression=a and b")
    assert bits(page) == "0001"
    assert page.locator(".unit").inner_text() == "a + b − 3/2 > 0"
    assert page.locator(".interval").inner_text() == "(−2, −1]"
    assert page.locator(".end.open").count() == 1
    assert page.locator(".end.closed").count() == 1
    page.get_by_label("A score of 0 is", exact=True).select_option("positive")
    assert page.locator(".interval").inner_text() == "[−2, −1)"


def test_xor_shows_why_no_unit_does_and_a_network_that_does(bench):
    page = bench("expression=a xor b")
    refutation = page.locator(".refutation").inner_text()
    assert refutation == str(BooleanFunction("a xor b").refutation)
    assert page.locator(".unit").count() == 0
    assert page.locator(".witness-ring").count() == 4
    assert "A network of 2 hidden units" in page.locator(".network").inner_text()
    assert page.locator(".network-picture .node").count() == 2 + 2 + 1
    text = page.locator(".network-text").inner_text().replace("−", "-")
    assert text == str(BooleanFunction("a xor b").network())


def test_majority_is_cut_from_the_cube_by_a_plane(bench):
    page = bench("expression=majority(a, b, c)")
    assert page.locator(".corner").count() == 8
    assert page.locator(".corner[data-value='1']").count() == 4
    assert page.locator("polygon.cut").evaluate("shape => shape.points.length") == 6
    assert page.locator(".interval").inner_text() == "(−2, −1]"


def test_a_broken_expression_is_refused_with_its_place_and_the_next_one_is_shown(bench):
    page = bench("expression=" + quote("a and (b or"))
    assert page.locator(".panel-boolean").get_attribute("data-state") == "error"
    problem = page.locator(".boolean-error").inner_text()
    with pytest.raises(ValueError) as expected:
        BooleanFunction("a and (b or")
    assert problem.strip() == str(expected.value).strip()
    field = page.get_by_label("Expression", exact=True)
    field.fill("a and (b or c)")
    field.press("Enter")
    page.locator(".panel-boolean[data-state=ready]").wait_for()
    assert page.locator(".unit").inner_text() == "2·a + b + c − 5/2 > 0"
    assert not page.locator(".boolean-error").is_visible()


def test_clicking_the_truth_table_by_keyboard_makes_another_function(bench):
    page = bench("expression=a and b")
    page.locator("[data-row='1']").focus()
    page.keyboard.press("Space")
    page.locator(".bit[data-row='1'][aria-pressed=true]").wait_for()
    assert bits(page) == "0101"
    assert page.locator(".unit").inner_text() == "b − 1/2 > 0"
    assert page.evaluate("document.activeElement.dataset.row") == "1"
    page.wait_for_url(re.compile("table=0101"))
    page.get_by_label("Number of variables").select_option("3")
    page.locator(".corner").nth(7).wait_for()
    assert bits(page) == "01010101"
