"""Time: any step can be gone back to, and its w is the engine's to the last digit."""

import warnings

import numpy as np
import pytest

from rosenblatt import Perceptron, conventions, data
from tests.browser.conftest import state, wait_for_run, weights


def scrub(page, at):
    page.locator(".panel-time .scrub").evaluate(
        "(element, at) => { element.value = at; element.dispatchEvent(new Event('input', { bubbles: true })); }", at
    )


def drawn(page):
    """The plane's pixels as they are now, without waiting for the screen."""
    return page.evaluate(
        "() => { const [plane] = rosenblattLab.planes; plane.draw(); return plane.element.toDataURL(); }"
    )


def test_scrubbing_back_shows_the_earlier_boundary_and_weights(page):
    page.emulate_media(reduced_motion="reduce")
    assert weights(page) == [-5, 0, 1]
    page.keyboard.press("End")
    end = drawn(page)
    scrub(page, 2)
    assert weights(page) == [-6, -2, -5]
    assert drawn(page) != end
    scrub(page, 10)
    assert weights(page) == [-6, 7, -2]
    assert drawn(page) == end


@pytest.mark.slow
@pytest.mark.parametrize(("learnt", "choice"), [([0, 1, 2, 3], ""), ([2, 3], "&only_two=1")], ids=["all", "two"])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "misclassified"])
@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
def test_every_scrubbed_step_of_iris_has_the_engines_weights_to_the_last_digit(
    lab, open_page, order, multi_class, learnt, choice
):
    page = open_page(
        f"{lab.address}#data=iris&columns=2,3{choice}&rule=L4&init=zeros&eta0=0.1&order={order}"
        f"&multi_class={multi_class}&max_steps=3000"
    )
    wait_for_run(page)
    iris = data.load("iris")
    parameters = {**conventions.L4, "init": "zeros", "eta0": 0.1, "order": order, "multi_class": multi_class}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = Perceptron(**parameters, max_steps=3000, record=True).fit(iris.X[:, learnt], iris.y)
    traces = fitted.trace_ if isinstance(fitted.trace_, list) else [fitted.trace_]
    for at in [3000, 17, 0, 1, 2999, 1024, 1500, 5]:
        scrub(page, at)
        found, lines = page.evaluate(
            "at => { const { replay } = window.rosenblattLab.store.state.sides[0];"
            " return [replay.tracks.flatMap((track) => Array.from(track.weights(at))),"
            " replay.planes(at).map((w) => Array.from(w))]; }",
            at,
        )
        expected = np.concatenate([np.atleast_2d(trace.weights_at(min(at, len(trace)))) for trace in traces])
        np.testing.assert_array_equal(np.reshape(found, expected.shape), expected)
        np.testing.assert_array_equal(np.array(lines)[:, 1:], expected[:, -2:])
        hidden = iris.X[:, learnt[:-2]].mean(axis=0)  # the line is drawn at the mean of the columns that are not shown
        offsets = expected[:, 0] + expected[:, 1:-2] @ hidden
        np.testing.assert_allclose(np.array(lines)[:, 0], offsets, rtol=1e-12, atol=1e-12)


def test_steps_go_by_example_mistake_and_epoch_and_back(page):
    def at():
        return state(page, "sides.0.at")

    page.get_by_role("button", name="Next mistake").click()
    assert at() == 2
    page.get_by_role("button", name="Next mistake").click()
    assert at() == 3
    page.get_by_role("button", name="Next epoch").click()
    assert at() == 4
    page.get_by_role("button", name="Back to the last mistake").click()
    assert at() == 3
    page.get_by_role("button", name="Back one epoch").click()
    assert at() == 2
    page.get_by_role("button", name="Back one example").click()
    page.get_by_role("button", name="Back to the last mistake").click()
    assert at() == 0
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Back to the last mistake").click()
    assert at() == 8


def test_playing_reaches_the_end_and_stops(page):
    page.get_by_label("Speed").fill("10")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".caption .ending").wait_for()
    assert state(page, "playing") is False
    assert weights(page) == [-6, 7, -2]


ENDINGS = {
    "#data=iris&max_steps=300": "unfinished: the limit of examples presented was reached.",
    "#data=xor&max_iter=2": "unfinished: the limit of epochs was reached.",
    "#data=and&max_error=0.5": "few enough errors: the share of errors in an epoch fell to μ.",
    "#data=majority": "separated in all 3 columns: a whole pass without a mistake.",
    "#data=iris&max_steps=300&lang=de": "abgebrochen: die Höchstzahl der Beispiele ist erreicht.",
}


def test_the_ending_is_told_in_words(site, open_page):
    page = open_page(site)
    wait_for_run(page)
    for address, caption in ENDINGS.items():
        page.evaluate("(hash) => { location.hash = hash; }", f"{address}&at=1000000")
        page.locator(".caption").first.get_by_text(caption, exact=True).wait_for()


def test_another_lecture_walks_another_path_over_the_same_points(page):
    page.locator("select[data-key=convention]").select_option("L3")
    wait_for_run(page)
    page.keyboard.press("End")
    fitted = Perceptron(**conventions.L3).fit([[5, 7], [2, 6]], [1, -1])
    assert weights(page) == [*fitted.intercept_.tolist(), *fitted.coef_[0].tolist()]
    assert "Algorithm 8.2" in page.locator(".panel-rule").inner_text()


def test_a_changed_choice_is_named_as_a_departure_from_the_lecture(page):
    page.locator("select[data-key=tie]").select_option("mistake")
    wait_for_run(page)
    assert "with another tie" in page.locator(".panel-rule").inner_text()


def test_an_undershoot_is_marked_on_the_page(lab, open_page):
    page = open_page(
        f"{lab.address}#points=1,0,1;-9,0,0&classes=-1,1&rule=L1&fit_intercept=false&tie=positive&init=given&start=0,-3,0&at=1"
    )
    wait_for_run(page)
    assert "Undershoot" in page.locator(".panel-step").inner_text()
    page.keyboard.press("End")
    assert "Undershoot" not in page.locator(".panel-step").inner_text()


def test_two_runs_side_by_side_step_together(page):
    page.get_by_role("button", name="Compare two runs").click()
    page.locator("[data-side='1'] .w").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press("m")
    assert weights(page, 0) == [-6, -2, -5]
    assert weights(page, 1) == [2, 10, 14]
    assert page.locator("canvas:visible").count() == 2


@pytest.mark.parametrize("algorithm", ["margin", "pa1", "pocket", "averaged", "batch"])
def test_every_algorithm_runs_and_steps(page, algorithm):
    page.locator("select[data-key=algorithm]").select_option(algorithm)
    wait_for_run(page)
    page.keyboard.press("m")
    page.keyboard.press("End")
    assert page.locator(".caption .ending").count() == 1
    assert len(weights(page)) == 3
