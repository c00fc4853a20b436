"""Nonlinear boundaries: what one line cannot do, done three ways by the engine; and many classes with their votes."""

import json
import warnings

import numpy as np
import pytest

from rosenblatt import KernelPerceptron, Perceptron, data
from rosenblatt.learning.tiling import tile
from tests.browser.conftest import state, wait_for_run

PATIENCE = 120_000  # a worker's first kernel waits for scikit-learn's import

XOR = "#data=xor&rule=L0&tie=positive&init=zeros&bench=nonlinear"


def settled(page, state="solved"):
    page.locator(f".panel-nonlinear[data-state={state}]").wait_for(timeout=PATIENCE)


def opened(lab, open_page, address):
    page = open_page(lab.address + address)
    page.set_default_timeout(PATIENCE)
    wait_for_run(page)
    return page


def scores_at(page, points):
    """The engine's scores on the page's grid, at the cells in which these points lie, with the centres of the cells."""
    return page.evaluate(
        """async points => {
            const {arraysOf} = await import('/static/benches/nonlinear_shapes.js');
            const {answer} = rosenblattLab.store.state.nonlinear;
            const {columns, rows} = answer.grid, [left, right, low, high] = answer.frame;
            const {scores, codes} = arraysOf(answer);
            return points.map(([x, y]) => {
                const [across, up] = [right - left, high - low];
                const i = Math.floor(columns * (x - left) / across), j = Math.floor(rows * (y - low) / up);
                const centre = [left + across * (i + 0.5) / columns, low + up * (j + 0.5) / rows];
                return [centre, scores ? scores[j * columns + i] : null, codes[j * columns + i]];
            });
        }""",
        points,
    )


@pytest.mark.slow
def test_xor_fails_with_a_line_and_is_solved_three_ways(lab, open_page):
    page = opened(lab, open_page, XOR + "&nonlinear.kernel=poly&nonlinear.gamma=1&nonlinear.degree=2&nonlinear.coef0=1")
    assert page.locator(".line-ending").get_attribute("data-status") == "cycled"
    settled(page)
    known = data.load("xor")
    model = KernelPerceptron(kernel="poly", gamma=1, degree=2, coef0=1, order="cyclic").fit(known.X, known.y)
    alphas = json.loads(page.locator(".alphas").get_attribute("data-alphas"))
    expected = np.zeros(4)
    expected[model.support_] = np.abs(model.dual_coef_[0])
    assert alphas == expected.tolist()
    for centre, score, code in scores_at(page, [[0.1, 0.2], [0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [1.0, 1.0]]):
        assert score == pytest.approx(model.decision_function([centre])[0], rel=1e-9, abs=1e-9)
        assert code == (score > 0)
    assert page.locator("canvas.gram").evaluate("canvas => canvas.width") == 4

    page.get_by_role("button", name="Network", exact=True).click()
    page.locator(".panel-dual .network-picture").wait_for()
    settled(page)
    assert [code for _, _, code in scores_at(page, known.X.tolist())] == known.y.tolist()

    page.get_by_role("button", name="Features", exact=True).click()
    page.locator(".formula").wait_for()
    settled(page)
    more = np.column_stack([known.X, known.X[:, 0] * known.X[:, 1]])
    line = Perceptron(order="cyclic").fit(more, known.y)
    assert json.loads(page.locator(".formula").get_attribute("data-w")) == [*line.intercept_, *line.coef_[0]]
    drawn = page.evaluate("rosenblattLab.planes[0].shapes().filter(s => s.kind === 'line' && s.width === 2.4).length")
    assert drawn > 20  # the curve, in straight pieces


@pytest.mark.slow
def test_spirals_need_a_narrow_enough_gaussian(lab, open_page):
    address = "#data=spirals&rule=L0&tie=positive&init=zeros&max_steps=2000&bench=nonlinear"
    page = opened(lab, open_page, f"{address}&nonlinear.kernel=rbf&nonlinear.gamma=0.1")
    settled(page, "unsolved")
    page.locator("[data-key=gamma]").fill("20")
    page.keyboard.press("Tab")
    settled(page)
    known = data.load("spirals")
    model = KernelPerceptron(gamma=20, order="cyclic").fit(known.X, known.y)
    assert f"{len(model.support_)} support vectors" in page.locator(".bench-status").inner_text()
    last = int(page.get_by_label("After so many mistakes").get_attribute("max"))
    assert last == model.n_mistakes_
    page.get_by_label("After so many mistakes").fill("1")
    page.locator(".moment", has_text="After 1 of").wait_for()
    assert sum(json.loads(page.locator(".alphas").get_attribute("data-alphas"))) == 1


@pytest.mark.slow
def test_points_that_are_no_truth_table_get_a_network_by_tiling(lab, open_page):
    page = opened(
        lab,
        open_page,
        "#data=circles&rule=L0&tie=positive&init=zeros&max_steps=2000&bench=nonlinear&nonlinear.method=network",
    )
    settled(page)
    known = data.load("circles")
    network = tile(known.X, known.y)
    assert f"{network.n_units} units in layers of" in page.locator(".bench-status").inner_text()
    codes = [code for _, _, code in scores_at(page, known.X.tolist())]
    assert np.mean(np.array(codes) == known.y) > 0.95  # a cell's centre is not the point
    assert page.locator(".panel-dual .network-picture .node").count() == network.n_units + 2
    assert page.locator(".network-text").inner_text().count("> 0") == network.n_units
    page.get_by_role("button", name="Features", exact=True).click()
    settled(page, "unsolved")  # x1·x2 does not tell two circles apart; their squares do
    page.locator("[data-key=features]").select_option("squares")
    settled(page)


@pytest.mark.slow
@pytest.mark.parametrize(("learnt", "choice"), [([0, 1, 2, 3], ""), ([2, 3], "&only_two=1")], ids=["all", "two"])
def test_votes_are_those_of_the_engine_one_vs_all_beside_one_vs_one(lab, open_page, learnt, choice):
    page = open_page(f"{lab.address}#data=iris&columns=2,3{choice}&rule=L0&tie=positive&init=zeros&max_steps=3000")
    page.locator("#lab[data-state=ready]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="One vs all beside one vs one").click()
    page.locator(".vote-table[data-side='1']").wait_for()
    wait_for_run(page)
    page.keyboard.press("End")
    iris = data.load("iris")
    X, y = iris.X[:, learnt], np.unique(iris.y, return_inverse=True)[1]
    hidden = X[:, :-2].mean(axis=0)  # a place in the plane has the mean in every column that is not shown
    for multi_class, side in (("ova", 0), ("ovo", 1)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = Perceptron(order="cyclic", tie="positive", max_steps=3000, multi_class=multi_class).fit(X, y)
        for place in ([1.5, 0.2], [4.3, 1.3], [5.1, 1.8], [5.5, 2.1]):
            page.get_by_label("Place, petal length").fill(str(place[0]))
            page.get_by_label("Place, petal length").press("Enter")
            page.get_by_label("Place, petal width").fill(str(place[1]))
            page.get_by_label("Place, petal width").press("Enter")
            table = page.locator(f".vote-table[data-side='{side}']")
            example = [[*hidden, *place]]
            assert int(table.get_attribute("data-winner")) == model.predict(example)[0]
            totals = json.loads(table.get_attribute("data-totals"))
            assert totals == pytest.approx(model.decision_function(example)[0].tolist())


def test_the_spirals_open_with_a_kernel_that_separates_them(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros")
    page.get_by_label("Data set").select_option("spirals")
    page.locator(".panel-nonlinear[data-state=solved]").wait_for(timeout=120_000)
    assert state(page, "bench") == "nonlinear"
    page.get_by_role("button", name="Undo").click()
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    assert state(page, "bench") == "line"
