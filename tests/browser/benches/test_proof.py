"""What is proved: the bound, the walls at every step, the witness, the cycle, and the lines beside the current one."""

import warnings

import numpy as np
import pytest

from rosenblatt import AveragedPerceptron, Perceptron, PocketPerceptron, data
from rosenblatt.theory import max_margin, mistake_bound, proof_walls, radius
from tests.browser.conftest import state, wait_for_run
from tests.lab.test_strings import ENGLISH

#: Address, data, the rule in Python's words, and the first weights.
RUNS = {
    "and": ("#data=and&rule=L0&tie=positive&init=zeros", {"tie": "positive"}, [0, 0, 0]),
    "or": ("#data=or&rule=L1&tie=mistake&init=zeros&eta0=0.5", {"tie": "mistake", "eta0": 0.5}, [0, 0, 0]),
    "lecture4": ("#data=lecture4&rule=L4", {"tie": "negative"}, [-5, 0, 1]),
}


def opened(lab, open_page, address):
    page = open_page(lab.address + address)
    wait_for_run(page)
    page.locator(".panel-proof:not([data-proof=none])").wait_for(timeout=30_000)
    return page


def walls_shown(page):
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-wall]')]"
        ".map(e => [e.dataset.wall, Number(e.dataset.exact)]))"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_walls_of_the_proof_hold_at_every_scrubbed_step_and_are_the_theorys(name, lab, open_page):
    address, rule, start = RUNS[name]
    known = data.load(name)
    page = opened(lab, open_page, address)
    run = Perceptron(order="cyclic", record=True, **rule)
    run.fit(known.X, known.y, coef_init=[start[1:]], intercept_init=[start[0]])
    eta0 = rule.get("eta0", 1.0)
    best = max_margin(known.X, known.y, augmented=True)
    u = np.array([best.hyperplane.w0, *best.hyperplane.w])
    states = np.array([np.array(start, dtype=float), *[step.w_after for step in run.trace_ if step.mistake]])
    expected = list(proof_walls(states, u, gamma=best.gamma, radius=radius(known.X), eta0=eta0))
    bound = mistake_bound(known.X, known.y, eta0=eta0, start=start)
    assert page.locator(".most").get_attribute("data-bound") == str(bound)
    seen = set()
    length = page.evaluate("rosenblattLab.store.state.sides[0].replay.length")
    for at in range(length + 1):
        page.locator(".panel-time .scrub").fill(str(at))
        mistakes = int(page.locator(".so-far").inner_text())
        walls, wall = walls_shown(page), expected[mistakes]
        slack = 1e-9 * (1 + walls["ceiling"])
        assert walls["floor"] <= walls["projection"] + slack
        assert walls["projection"] <= walls["norm"] + slack
        assert walls["norm"] <= walls["ceiling"] + slack
        found = [walls[key] for key in ("floor", "projection", "norm", "ceiling")]
        assert found == pytest.approx([wall.floor, wall.projection, wall.squared_norm**0.5, wall.ceiling**0.5])
        seen.add(mistakes)
    assert seen == set(range(run.n_mistakes_ + 1))
    assert mistakes <= bound


def test_gamma_is_exact(lab, open_page):
    page = opened(lab, open_page, RUNS["and"][0])
    assert page.locator(".gamma").get_attribute("data-gamma-squared") == "1/17"
    assert "1/8" in page.locator(".panel-proof").inner_text()


def test_xor_is_shown_inseparable_with_its_witness_and_its_cycle(lab, open_page):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros")
    assert page.locator(".panel-proof").get_attribute("data-proof") == "inseparable"
    weights = page.locator(".witness li").evaluate_all("items => items.map(item => item.dataset.weight)")
    assert weights == ["1", "1", "1", "1"]
    drawn = page.evaluate("rosenblattLab.planes[0].shapes().filter(s => s.kind === 'text' && s.text.startsWith('λ'))")
    assert len(drawn) == 4
    meeting = page.evaluate("rosenblattLab.planes[0].shapes().filter(s => s.kind === 'marker' && s.shape === 'cross')")
    assert len(meeting) == 1
    assert page.locator(".cycle").count() == 0
    page.keyboard.press("End")
    assert page.locator(".cycle").get_attribute("data-period") == "1"
    first, last = page.evaluate(
        "() => { const {replay} = rosenblattLab.store.state.sides[0]; const ends = replay.tracks[0].epochEnds;"
        " return [ends.at(-2), ends.at(-1)].map(at => Array.from(replay.tracks[0].weights(at))); }"
    )
    assert first == last


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "estimator"), [("pocket", PocketPerceptron), ("averaged", AveragedPerceptron)])
def test_the_pockets_and_the_averages_line_end_as_the_estimators_do(algorithm, estimator, lab, open_page):
    address = f"#data=circles&rule=L0&algorithm={algorithm}&tie=mistake&init=zeros&max_steps=1234"
    page = opened(lab, open_page, address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = data.load("circles")
        fitted = estimator(order="cyclic", max_iter=None, max_steps=1234).fit(known.X, known.y)
    expected = [fitted.intercept_[0], *fitted.coef_[0]]
    call = {"pocket": "pocketCounters(track, at, replay.payload.ending.status).w", "averaged": "averageAt(track, at)"}[
        algorithm
    ]
    found = page.evaluate(
        "async () => { const {averageAt, pocketCounters} = await import('/static/proof/pocket_and_average.js');"
        " const {replay} = rosenblattLab.store.state.sides[0]; const [track] = replay.tracks; const at = replay.length;"
        f" return Array.from({call}); }}"
    )
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_pockets_and_the_averages_line_are_drawn_beside_the_current_one(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros&at=24")
    names = "rosenblattLab.planes[0].shapes().filter(s => s.kind === 'text').map(s => s.text)"
    assert not {"pocket", "average"} & set(page.evaluate(names))
    page.locator("[data-extra-line=pocket]").check()
    page.locator("[data-extra-line=average]").check()
    assert {"pocket", "average"} <= set(page.evaluate(names))


def loaded(page, X, y):
    names = ",".join(f"f{j}" for j in range(X.shape[1]))
    rows = "\n".join(f"{','.join(map(str, row))},{label}" for row, label in zip(X.tolist(), y, strict=True))
    page.evaluate("text => rosenblattLab.actions.loadText(text, 'mine.csv')", f"{names},class\n{rows}\n")


@pytest.mark.slow
def test_the_prover_in_the_browser_calls_undecided_what_would_take_too_long(site, open_page):
    """Random labels of 60 columns: a relation in integers of thousands of digits."""
    page = open_page(f"{site}#data=and&rule=L0&init=zeros&max_steps=200")
    wait_for_run(page)
    chance = np.random.default_rng(0)
    loaded(page, chance.normal(size=(200, 60)).round(3), chance.choice(["a", "b"], 200))
    page.locator(".panel-proof[data-proof=undecided]").wait_for(timeout=150_000)
    assert page.locator(".panel-proof").get_by_text(ENGLISH["proof.undecided"]).is_visible()
    page.keyboard.press("m")
    assert state(page, "sides.0.at") > 0, "the run can be stepped through all the same"


def test_many_values_do_not_overflow_the_stack_of_the_prover(site, open_page):
    """1,437 digits of 64 pixels: one of the eight classes that are shown against all others."""
    page = open_page(f"{site}#data=digits&rule=L0&init=zeros&max_steps=300&watch=0")
    wait_for_run(page)
    page.locator(".panel-proof[data-proof=separable]").wait_for()
