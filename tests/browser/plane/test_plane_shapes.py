"""The shapes of the plane: no vector of length zero, no region without weights, no point hidden by another."""

import numpy as np

from tests.browser.conftest import opened


def test_zero_weights_draw_neither_vectors_nor_regions(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros")
    shapes = page.evaluate("rosenblattLab.planes[0].shapes().map(({ kind, text }) => text ?? kind)")
    assert not [shape for shape in shapes if shape in ("arrow", "polygon") or "drawn" in shape]
    assert shapes.count("marker") == 4


def test_the_handle_of_w_is_a_ring_around_a_point_that_it_would_hide(lab, open_page):
    """AND: w = (1, 1) after the third mistake, where the only positive point is."""
    page = opened(lab, open_page, "#data=and&rule=L0&tie=mistake&init=zeros&at=5")
    x, y = page.evaluate(
        "(({ view }) => { const p = rosenblattLab.planes[0].shapes().filter((s) => s.kind === 'marker');"
        " return p.at(-1).at; })(rosenblattLab.planes[0])"
    )
    shapes = page.evaluate("rosenblattLab.planes[0].shapes().map(({ kind, at, r, b }) => ({ kind, at, r, b }))")
    near = [shape for shape in shapes if shape.get("at") and np.hypot(shape["at"][0] - x, shape["at"][1] - y) < 5]
    assert sorted(shape["kind"] for shape in near) == ["marker", "ring"]
    assert all(np.hypot(shape["b"][0] - x, shape["b"][1] - y) > 9 for shape in shapes if shape["kind"] == "arrow")


def test_points_behind_points_of_another_class_can_be_seen(lab, open_page):
    """Majority in two of its three columns: (0, 1) is positive with the third input, and negative without."""
    page = opened(lab, open_page, "#data=majority&rule=L0&init=zeros")
    markers = page.evaluate(
        "rosenblattLab.planes[0].shapes().filter(({ shape }) => shape).map(({ at, r }) => [...at, r])"
    )
    sizes = {}
    for across, up, r in markers:
        sizes.setdefault((across, up), set()).add(r)
    assert sorted(len(found) for found in sizes.values()) == [1, 1, 2, 2]


def test_before_the_first_mistake_a_kernel_draws_no_regions(lab, open_page):
    page = opened(lab, open_page, "#story=dual")
    page.wait_for_function("() => rosenblattLab.store.state.nonlinear.answer?.moment === 0")
    polygons = "rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === 'polygon').length"
    assert page.evaluate(polygons) == 0
    page.locator("[data-part=choice-0]").click()
    page.wait_for_function("() => rosenblattLab.store.state.nonlinear.answer?.moment === 1")
    assert page.evaluate(polygons) > 0
