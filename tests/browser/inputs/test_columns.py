"""More than two columns: all of them are learnt and proved, the plane shows two, and the page says so."""

import numpy as np
import pytest

import rosenblatt
from rosenblatt import data
from tests.browser.conftest import state, wait_for_run, weights


def opened(lab, open_page, address):
    page = open_page(lab.address + address)
    wait_for_run(page)
    return page


def test_majority_is_learnt_and_proved_in_its_three_columns(lab, open_page):
    page = opened(lab, open_page, "#data=majority&rule=L0&tie=positive&init=zeros&at=100000")
    page.locator(".panel-proof[data-proof=separable]").wait_for()
    assert "in all 3 columns" in page.locator(".panel-proof").inner_text()
    assert "All 3 columns are learnt" in page.locator(".slice-words").first.inner_text()
    table = data.load("majority")
    expected = rosenblatt.Perceptron(order="cyclic", tie="positive", max_steps=20_000).fit(table.X, table.y)
    assert weights(page) == [*expected.intercept_, *expected.coef_[0]]


def test_only_two_columns_can_be_chosen_and_are_named_in_the_verdict(lab, open_page):
    page = opened(lab, open_page, "#data=majority&rule=L0&tie=positive&init=zeros")
    page.locator("[data-key=only-two]").check()
    page.locator(".panel-proof[data-proof=weak]").wait_for()
    assert "in these two columns" in page.locator(".panel-proof").inner_text()
    assert "Only these two of 3 columns" in page.locator(".slice-words").first.inner_text()
    page.wait_for_url("**only_two=1**")
    assert len(weights(page)) == 3


def test_the_line_is_the_slice_at_the_mean_of_the_other_columns(lab, open_page):
    page = opened(lab, open_page, "#data=iris&columns=2,3&rule=L0&tie=mistake&init=zeros&at=500&max_steps=2000")
    line, w = page.evaluate(
        "() => { const { replay, at } = rosenblattLab.store.state.sides[0];"
        " return [Array.from(replay.planes(at)[1]), Array.from(replay.tracks[1].weights(at))]; }"
    )
    means = data.load("iris").X.mean(axis=0)
    assert line == pytest.approx([w[0] + w[1] * means[0] + w[2] * means[1], w[3], w[4]])


def test_points_of_three_columns_are_in_the_address(lab, open_page):
    points = "#points=0,0,5,0;1,1,4,1;2,1,3,1&classes=a,b&columns=u,v,w&shown=0,2"
    page = opened(lab, open_page, f"{points}&rule=L0&init=zeros")
    assert state(page, "data.slice.chosen") == [0, 2]
    assert state(page, "data.columns") == ["u", "w"]
    page.keyboard.press("m")
    page.wait_for_url("**&at=2**")
    other = opened(lab, open_page, page.evaluate("location.hash"))
    assert state(other, "data.points") == state(page, "data.points")
    assert weights(other) == weights(page)


def test_the_plane_through_w_has_every_point_on_the_side_on_which_all_columns_put_it(lab, open_page):
    page = opened(
        lab, open_page, "#data=wine&columns=0,6&standardize=1&rule=L0&tie=mistake&init=zeros&max_steps=900&watch=1"
    )
    page.get_by_label("The plane", exact=True).select_option("weights")
    assert "through w and the main direction" in page.locator(".slice-words").first.inner_text()
    page.wait_for_url("**view=weights**")
    for at in (0, 40, 500):
        page.evaluate("at => rosenblattLab.actions.go(at)", at)
        lines, places, scores = page.evaluate(
            """async () => {
                const { pictureOf } = await import("/static/state/picture.js");
                const { data, sides: [side] } = rosenblattLab.store.state;
                const track = side.replay.leading(side.at, side.focus);
                const w = track.weights(side.at);
                const picture = pictureOf(data, side);
                return [Array.from(track.line(w, 0, picture.plane)), data.points.map(picture.place),
                    data.points.map((_, i) => track.scoreOf(w, i))];
            }"""
        )
        shown = [lines[0] + lines[1] * x + lines[2] * y for x, y in places]
        assert shown == pytest.approx(scores, abs=1e-9)
        assert np.ptp(places, axis=0).min() > 0.1


def test_a_click_on_a_pair_of_columns_shows_it_and_keeps_the_run(lab, open_page):
    page = opened(lab, open_page, "#data=iris&columns=2,3&rule=L0&tie=mistake&init=zeros&at=500&max_steps=2000")
    before = weights(page)
    page.get_by_role("button", name="Pairs…").click()
    assert page.locator(".pairs button").count() == 6
    page.get_by_role("button", name="sepal length · petal length").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    assert state(page, "data.columns") == ["sepal length", "petal length"]
    assert state(page, "data.points")[0] == {"x": 5.1, "y": 1.4, "c": 0, "v": [5.1, 3.5, 1.4, 0.2]}
    assert weights(page) == before
    assert state(page, "sides.0.at") == 500


def test_of_many_columns_the_six_that_weigh_most_are_shown_in_pairs(lab, open_page):
    page = opened(
        lab, open_page, "#data=breast_cancer&standardize=1&rule=L0&tie=mistake&init=zeros&at=900&max_steps=900"
    )
    page.get_by_role("button", name="Pairs…").click()
    assert page.locator(".pairs button").count() == 15
    assert "6 of 30 columns" in page.locator(".pairs-dialog").inner_text()


def test_points_are_painted_and_moved_in_the_plane_that_is_shown(lab, open_page):
    page = opened(lab, open_page, "#data=majority&rule=L0&tie=positive&init=zeros&at=1000&view=weights")
    made = page.evaluate(
        """async () => {
            const { pictureOf } = await import("/static/state/picture.js");
            const { store, actions } = rosenblattLab;
            const { plane, place } = pictureOf(store.state.data, store.state.sides[0]);
            actions.addPoint(0.3, -0.2, 1, plane);
            const painted = store.state.data.points.at(-1);
            const old = store.state.data.points[0];
            actions.movePoint(0, 0.5, 0.75, plane);
            const moved = store.state.data.points[0];
            return [place(painted), place(moved), painted.v.length, [painted.x, painted.y], painted.v, old.v, moved.v];
        }"""
    )
    assert made[0] == pytest.approx([0.3, -0.2])
    assert made[1] == pytest.approx([0.5, 0.75])
    assert made[2] == 3
    assert made[3] == made[4][:2]
    wait_for_run(page)


def test_edited_points_of_many_columns_can_be_cut_to_two(lab, open_page):
    page = opened(
        lab, open_page, "#points=0,0,5,0;1,1,4,1;2,1,3,1&classes=a,b&columns=u,v,w&shown=0,2&rule=L0&init=zeros"
    )
    page.get_by_role("button", name="learn only these two columns").click()
    page.locator(".slice-words", has_text="Only these two of 3").first.wait_for()
    wait_for_run(page)
    assert len(weights(page)) == 3
    page.get_by_role("button", name="Undo").click()
    page.locator(".slice-words", has_text="All 3 columns").first.wait_for()


def test_a_kernel_learns_all_columns_and_says_so(lab, open_page):
    page = opened(lab, open_page, "#data=majority&rule=L0&init=zeros&bench=nonlinear&nonlinear.kernel=linear")
    page.locator(".panel-nonlinear[data-state=solved]").wait_for()
    assert "in all 3 columns" in page.locator(".bench-status").inner_text()
