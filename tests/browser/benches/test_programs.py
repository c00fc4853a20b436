"""The Python programs of the page run as they are shown, and find the same weights."""

import warnings

import numpy as np
import pytest

from tests.browser.conftest import opened
from tests.browser.transports.test_engine import painted, served


@pytest.mark.parametrize(
    "address",
    [
        "#data=and&rule=L0&tie=positive&init=zeros",
        "#data=majority&rule=L4&init=given&start=1,2,3",
        "#data=iris&columns=2,3&rule=L0&tie=mistake&init=given&start=1,0,1&max_steps=900&multi_class=ovo",
        "#data=wine&columns=0,6&standardize=1&only_two=1&rule=L0&tie=mistake&init=zeros&max_steps=2000",
        "#points=0.5,1,0;2,3.25,1;-1,4,2&classes=a,b,c&rule=L4&max_steps=500",
        "#data=and&rule=L0&algorithm=batch&tie=mistake&init=zeros",
    ],
)
def test_the_python_program_runs_as_it_is_shown_and_finds_the_same_weights(lab, open_page, address):
    page = opened(lab, open_page, address)
    page.keyboard.press("End")
    program = page.locator(".panel-save .python").inner_text()
    namespace = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a run that was cut short says so
        exec(program, namespace)
    model = namespace["model"]
    shown = page.evaluate(
        "() => { const { replay, at } = rosenblattLab.store.state.sides[0];"
        " return replay.tracks.map((track) => Array.from(track.weights(at))); }"
    )
    found = np.column_stack([model.intercept_, model.coef_])
    np.testing.assert_array_equal(np.array(shown).reshape(found.shape), found)


@pytest.mark.parametrize("seed", range(40))
def test_the_call_of_any_rule_runs_and_finds_the_weights_of_the_run(seed):
    """The server's text of the call; the page's is the same (test_engine.py)."""
    run = painted(seed)
    answer = served("run", run)
    if "error" in answer:
        assert "Choose " in answer["error"]  # a combination that is refused with a remedy
        return
    namespace = {"X": np.array(run["x"], dtype=float), "y": np.array(run["y"])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(f"import numpy as np\nfrom rosenblatt import *\nmodel = {answer['python']}", namespace)
    model = namespace["model"]
    assert model.status_ == answer["ending"]["status"]
    assert model.n_mistakes_ == answer["ending"]["mistakes"]
    if answer["published"]:
        np.testing.assert_array_equal(np.column_stack([model.intercept_, model.coef_]), answer["published"]["w"])


def test_the_programs_of_the_benches_run_as_they_are_shown(lab, open_page, capsys):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros&bench=nonlinear&nonlinear.kernel=poly")
    shown = {}
    for method, button in (("kernel", None), ("network", "Network"), ("features", "Features")):
        if button:
            page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_function("method => rosenblattLab.store.state.nonlinear.answer?.method === method", arg=method)
        page.locator(".panel-nonlinear[data-state=solved]").wait_for()
        shown[method] = page.locator(".panel-nonlinear .python").inner_text()
    page.evaluate("location.hash = '#data=circles&rule=L0&init=zeros&bench=nonlinear&nonlinear.method=network'")
    page.wait_for_function("() => rosenblattLab.store.state.nonlinear.answer?.layers")
    shown["tiled"] = page.locator(".panel-nonlinear .python").inner_text()
    for expression in ("a xor b", "a and b"):
        page.evaluate("text => { location.hash = `#bench=boolean&expression=${text}`; }", expression)
        page.wait_for_function(
            "text => { const { boolean } = rosenblattLab.store.state;"
            " return boolean.expression === text && !boolean.busy && boolean.answer?.python.includes(text); }",
            arg=expression,
        )
        page.locator(".panel-boolean .python", has_text=expression).first.wait_for()
        shown[expression] = page.locator(".panel-boolean .python[aria-label]").inner_text()
    for program in shown.values():
        exec(program, {})
    printed = capsys.readouterr().out
    assert "separated" in printed
    assert "0 training errors" in printed
    assert "have the same sum" in printed
    assert "a + b" in printed
