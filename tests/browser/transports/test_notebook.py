"""The notebook's transport: the same front end, its questions carried by a widget's messages to the same service."""

import json

from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.jobs.service import Service
from rosenblatt.lab.limits import KERNEL_SECONDS
from rosenblatt.lab.page.bundle import bundle
from rosenblatt.lab.page.replay_file import shell
from tests.browser.conftest import wait_for_run, weights

# A widget model as anywidget gives it to a page: `send` out, "msg:custom" back.
MODEL = """
    const listeners = [];
    const model = {
        on: (name, hear) => name === "msg:custom" && listeners.push(hear),
        send: (message) => window.askKernel(JSON.stringify(message)),
    };
    window.tell = (text) => listeners.forEach((hear) => hear(JSON.parse(text)));
"""


# A lab whose questions go to `window.askKernel`, and which waits for so many seconds.
START = """async (seconds) => {{
    const {{ createLab }} = (() => {{ {lab} }})();
    const {{ notebookTransport }} = (() => {{ {transport} }})();
    {model}
    const lab = createLab(document.getElementById("lab"), notebookTransport(model, seconds));
    window.rosenblattLab = lab;
    lab.store.set({{ catalogue: await lab.transport.catalogue() }});
    await lab.actions.loadSet("lecture4");
}}"""


def start(page, kernel, seconds):
    page.expose_function("askKernel", kernel)
    page.set_content('<div id="lab"></div>')
    script = START.format(lab=bundle("lab.js"), transport=bundle("transport/notebook.js"), model=MODEL)
    page.evaluate(script, seconds)


def test_a_lab_over_widget_messages_runs_and_steps(open_page):
    page = open_page("about:blank")
    service = Service()

    def kernel(text):
        message = json.loads(text)
        if message["job"] == "catalogue":
            event, data = "answer", catalogue(None)
        elif message["job"] == "shell":
            event, data = "answer", {"html": shell()}
        else:
            event, answer = service.answer(message["job"], json.dumps(message["body"]), lambda progress: None)
            data = json.loads(answer)
        page.evaluate("text => window.tell(text)", json.dumps({"id": message["id"], "event": event, "data": data}))

    start(page, kernel, KERNEL_SECONDS)
    wait_for_run(page)
    page.locator("#lab canvas").first.focus()
    page.keyboard.press("m")
    assert weights(page) == [-6, -2, -5]
    page.keyboard.press("End")
    assert weights(page) == [-6, 7, -2]
    refused = page.evaluate("() => window.rosenblattLab.actions.loadSet('nothing')")
    assert refused is False
    assert "no built-in data set" in page.locator(".notice").inner_text()


def test_a_kernel_that_has_stopped_is_reported(open_page):
    page = open_page("about:blank")

    def kernel(text):
        message = json.loads(text)
        if message["job"] == "catalogue":  # the last that it answers
            page.evaluate(
                "text => window.tell(text)",
                json.dumps({"id": message["id"], "event": "answer", "data": catalogue(None)}),
            )

    start(page, kernel, 0.2)
    assert "kernel has not answered for 0.2 seconds" in page.locator(".notice").inner_text()
