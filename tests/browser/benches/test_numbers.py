"""The numbers of the panels: short and in place, exact on demand, one number for an example everywhere."""

from tests.browser.conftest import opened


def test_a_witness_with_long_multipliers_fits_the_page(lab, open_page):
    rows = [(0.1, 0.2, 0), (1.1234567890123, 1.3, 0), (0.30000000001, 2.41234567, 0), (0.5, 1.0001, 1)]
    points = ";".join(f"{x},{y},{c}" for x, y, c in rows)
    page = opened(lab, open_page, f"#points={points}&rule=L0&tie=mistake&init=zeros&max_steps=900")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    weights = page.locator(".witness li").evaluate_all("items => items.map((item) => item.dataset.weight)")
    assert max(map(len, weights)) > 30
    assert page.locator(".witness").evaluate("list => list.scrollWidth <= list.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert max(map(len, page.locator(".witness li").all_inner_texts())) < 60
    labels = page.evaluate(
        "rosenblattLab.planes[0].shapes().filter(({ text }) => text?.startsWith('λ')).map(({ text }) => text)"
    )
    assert labels
    assert max(map(len, labels)) < 20


def test_an_example_has_one_number_everywhere(lab, open_page):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros&at=7")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    assert "Example 3:" in page.locator(".panel-step").inner_text()  # the seventh step presents the third of four
    assert "Step 7 of" in page.locator(".panel-time .where").inner_text()
    found = page.locator(".witness li").all_inner_texts()
    assert [text.split(":")[0] for text in found] == ["Example 1", "Example 2", "Example 3", "Example 4"]
    text = page.locator(".panel-proof").inner_text()
    page.get_by_label("Data set").select_option("and")
    page.locator(".panel-proof[data-proof=separable]").wait_for()
    text = page.locator(".panel-proof").inner_text()
    assert "in the space of x," in text
    assert "in the space of (1, x), where the run takes place, γ² =" in text


def test_coordinates_are_rounded_and_exact_on_demand(lab, open_page):
    page = opened(lab, open_page, "#points=0.123456789012345,1,0;2,3,1&rule=L0&tie=mistake&init=zeros&at=1")
    place = page.locator(".panel-step .place")
    assert place.inner_text() == "(0.12346, 1)"
    page.get_by_role("button", name="exact").click()
    assert place.inner_text() == "[0.123456789012345, 1]"
    assert "0.123456789012345" in page.locator(".panel-step .w").inner_text()
