"""The widget in a real JupyterLab draws and steps; nbconvert's page of its notebook still shows the run."""

import os
import re
import subprocess
import sys
import time

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

from rosenblatt import Perceptron, data

PATIENCE = 180_000
CELL = """\
import rosenblatt.lab
from rosenblatt import data
known = data.load("and")
widget = rosenblatt.lab.widget(known.X, known.y, feature_names=known.feature_names, tie="positive")
widget"""


def final_weights():
    known = data.load("and")
    fitted = Perceptron(order="cyclic", tie="positive").fit(known.X, known.y)
    return [*fitted.intercept_, *fitted.coef_[0]]


def notebook():
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made


@pytest.fixture
def jupyter(tmp_path):
    """A JupyterLab of its own, and its address with the notebook open."""
    nbformat.write(notebook(), tmp_path / "lab.ipynb")
    places = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--port=0",
        "--ServerApp.port_retries=0",
        "--allow-root",
    ]
    options = ["--IdentityProvider.token=here", f"--ServerApp.root_dir={tmp_path}", "--LabApp.news_url=None"]
    said = tmp_path / "said.log"
    with said.open("w") as log:
        process = subprocess.Popen([*command, *options], stderr=log, stdout=log, env=os.environ | places)
    found = None
    for _ in range(PATIENCE // 500):
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", said.read_text())
        if found or process.poll() is not None:
            break
        time.sleep(0.5)
    assert found, said.read_text()
    yield f"http://127.0.0.1:{found[1]}/lab/tree/lab.ipynb?token=here"
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_the_widget_draws_and_steps_in_jupyterlab(jupyter, chromium):
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(jupyter)
    cell = page.locator(".jp-Notebook .jp-CodeCell").first
    cell.click()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(state="attached")
    page.keyboard.press("Shift+Enter")
    live = page.locator(".rlab.notebook:has(.panel-rule)")  # the rule can be changed only where there is a kernel
    live.wait_for()
    assert live.get_attribute("data-state") == "ready"
    assert page.locator("[class^=rosenblatt-static]").count() == 1
    assert not page.locator("[class^=rosenblatt-static]").is_visible()
    weights = "JSON.parse(document.querySelector('.rlab.notebook .w').dataset.w)"
    live.locator("canvas.plane").first.focus()
    page.keyboard.press("m")
    assert page.evaluate(weights) == [-1, 0, 0]
    page.keyboard.press("End")
    assert page.evaluate(weights) == final_weights()
    # The kernel answers: another step size, and the run is computed anew.
    live.locator("[data-key=eta0]").fill("2")
    live.locator("[data-key=eta0]").press("Tab")
    page.wait_for_function(f"{weights}.join() === '{','.join(str(int(2 * w)) for w in final_weights())}'")
    assert page.locator(".jp-Notebook .jp-CodeCell").count() >= 1  # and no key cut the cell
    assert "rosenblatt.lab" in cell.inner_text()
    context.close()
    assert problems == []


@pytest.mark.slow
def test_the_page_that_nbconvert_makes_still_shows_the_run(tmp_path, chromium):
    made = notebook()
    ExecutePreprocessor(timeout=180, kernel_name="python3").preprocess(made, {"metadata": {"path": str(tmp_path)}})
    page_file = tmp_path / "lab.html"
    page_file.write_text(HTMLExporter().from_notebook_node(made)[0], encoding="utf-8")
    context = chromium.new_context(viewport={"width": 1300, "height": 1000}, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(page_file.as_uri(), wait_until="commit")
    frame = page.frame_locator("iframe[srcdoc]")
    frame.locator("#lab[data-state=ready]").wait_for()
    frame.locator("canvas.plane").first.focus()
    page.keyboard.press("End")
    assert frame.locator(".w").evaluate("e => JSON.parse(e.dataset.w)") == final_weights()
    assert "separated" in frame.locator(".caption").first.inner_text()
    frame.locator("[data-bound]").wait_for()  # the proof was recorded, too
    assert frame.locator("[data-bound]").get_attribute("data-bound") == "51"
    context.close()
