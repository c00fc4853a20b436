"""axe-core finds no serious fault: in the local lab and the static one, on every bench, light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import wait_for_run

STATES = {
    "two columns": "#data=and&rule=L0&tie=mistake&init=zeros&at=9",
    "many columns": "#data=iris&columns=2,3&view=weights&rule=L0&tie=positive&init=zeros&max_steps=900&at=100",
    "a witness": "#data=xor&rule=L0&tie=positive&init=zeros&at=3",
    "a kernel": "#data=circles&rule=L0&tie=positive&init=zeros&max_steps=900&bench=nonlinear",
    "a network": "#data=circles&rule=L0&init=zeros&max_steps=900&bench=nonlinear&nonlinear.method=network",
    "a function": "#bench=boolean&expression=a xor b",
    "a story": "#story=update",
    "embedded": "#data=and&rule=L0&init=zeros&embed",
}


def faults(page):
    found = Axe().run(page).response["violations"]
    return [
        (fault["id"], fault["impact"], [node["html"] for node in fault["nodes"]][:3])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def look_at(page, address, state):
    page.goto("about:blank")
    page.goto(address + STATES[state])
    wait_for_run(page)
    if "bench=nonlinear" in STATES[state]:
        page.locator(".panel-nonlinear[data-state=solved]").wait_for()
    if "bench=boolean" in STATES[state]:
        page.locator(".panel-boolean[data-state=ready]").wait_for()
    if state == "a witness":
        page.locator(".panel-proof[data-proof=inseparable]").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_static_lab_has_no_serious_fault(site, open_page, scheme):
    page = open_page(site, color_scheme=scheme)
    for state in STATES:
        look_at(page, site, state)
        assert faults(page) == [], state


def test_the_local_lab_has_no_serious_fault(lab, open_page):
    page = open_page(lab.address, bypass_csp=True)  # for axe's own script
    for state in ("two columns", "many columns", "a story"):
        look_at(page, lab.address, state)
        assert faults(page) == [], state


def test_on_a_phone_the_static_lab_has_no_serious_fault(site, open_page):
    page = open_page(site, viewport={"width": 390, "height": 844}, has_touch=True)
    for state in ("two columns", "a story"):
        look_at(page, site, state)
        assert faults(page) == [], state


@pytest.mark.parametrize("dialog", ["Pairs…", "Help", "Paste…"])
def test_dialogs_have_no_serious_fault(site, open_page, dialog):
    page = open_page(site + STATES["many columns"])
    wait_for_run(page)
    page.get_by_role("button", name=dialog).click()
    page.get_by_role("dialog").wait_for()
    assert faults(page) == []
