"""The other benches are for everybody, too: at any width, legible, with names for their controls."""

import pytest

from tests.browser.access.test_access import CONTRAST
from tests.browser.conftest import wait_for_run

PLACES = {
    "boolean": ("#bench=boolean&expression=a xor b xor c", ".network-picture"),
    "nonlinear": ("#data=xor&rule=L0&tie=positive&init=zeros&bench=nonlinear&nonlinear.method=features", ".formula"),
    "story": ("#story=xor&step=3", ".witness"),
    "votes": ("#story=classes&step=2", ".vote-table"),
}


def opened(lab, open_page, name, **options):
    address, sign = PLACES[name]
    page = open_page(lab.address + address, **options)
    wait_for_run(page)
    page.locator(sign).first.wait_for(timeout=120_000)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("name", PLACES)
def test_nothing_overflows_on_a_phone(lab, open_page, name):
    page = opened(lab, open_page, name, viewport={"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PLACES)
def test_text_stands_out_and_controls_have_names(lab, open_page, name, scheme):
    page = opened(lab, open_page, name, color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, canvas, svg[role=img]")]
            .filter((e) => !e.getAttribute("aria-label") && !e.textContent.trim())
            .filter((e) => !e.closest("label")?.textContent.trim())
            .map((e) => e.outerHTML)"""
    )
    assert nameless == []
