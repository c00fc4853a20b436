"""A real lab on a real socket, and a real Chromium that looks at it; a test also watches what a page must not do."""

import functools
import http.server
import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from rosenblatt.lab.page.site import single_file, write_site
from tests.lab.servers import Lab
from tests.programs import program

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Every test in a browser belongs to the slow tier."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def lab():
    running = Lab()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium():
    path = program("chromium", "chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "lab"
    write_site(folder)
    return folder


@pytest.fixture(scope="session")
def site(folder):
    """Its address, below a folder: nothing may depend on being at the root of a host."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/lab/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def one_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "lab.html"
    path.write_text(single_file())
    return path.as_uri()


@pytest.fixture(params=["site", "one_file"])
def static_lab(request):
    return request.getfixturevalue(request.param)


class Watch:
    """What a page must not do: complain on its console, throw, or talk to another host."""

    def __init__(self):
        self.problems = []

    def over(self, page):
        page.on("console", lambda message: self._heard(message))
        page.on("pageerror", lambda error: self.problems.append(f"threw {error}"))
        page.on("request", lambda request: self._asked(request.url))

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text} {message.location}")

    def _asked(self, url):
        if not re.match(r"(http://127\.0\.0\.1:\d+/|data:|blob:|file://)", url):
            self.problems.append(f"asked {url}")


@pytest.fixture
def watch():
    watching = Watch()
    yield watching
    assert not watching.problems


@pytest.fixture
def open_page(chromium, watch):
    """Opens pages, each in a browser of its own as far as cookies go."""
    contexts = []

    def opened(address, **options):
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 860}} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        watch.over(page)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def page(lab, open_page):
    """The lab as it opens, with its first run."""
    page = open_page(lab.address)
    wait_for_run(page)
    return page


def opened(lab, open_page, address, **options):
    """The lab at an address below its own, with its first run."""
    page = open_page(lab.address + address, **options)
    wait_for_run(page)
    return page


def wait_for_run(page):
    page.locator("#lab[data-state=ready]").wait_for()


def weights(page, side=0):
    """w as the page shows it, in doubles."""
    return page.evaluate(
        "side => JSON.parse(document.querySelector(`[data-side='${side}'] .w`).dataset.w)",
        side,
    )


def wait_for_state(page, path, value):
    """Waits until a part of the lab's state is this value."""
    page.wait_for_function(
        "([path, value]) => JSON.stringify(path.split('.').reduce((found, key) => found?.[key], "
        "window.rosenblattLab.store.state)) === JSON.stringify(value)",
        arg=[path, value],
    )


def state(page, path):
    """A part of the lab's state, such as "sides.0.at"."""
    return page.evaluate(
        "path => path.split('.').reduce((value, key) => value[key], window.rosenblattLab.store.state)",
        path,
    )
