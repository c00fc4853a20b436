"""Makes the images of the lab from its static site: `python docs/make_lab_images.py` (needs playwright, Chromium)."""

import shutil
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from rosenblatt.lab.page.site import write_site

IMAGES = Path(__file__).parent / "images"
WIDE = {"width": 1360, "height": 880}
TALL = {"width": 1360, "height": 1180}
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

#: Name, address (the state of the lab is in it), window, colours, and what to do: keys to press, `until:` something is
#: seen, `click:` on it.
STATES: list[tuple[str, str, dict[str, int], str, list[str]]] = [
    ("lab-update", "#data=lecture4&rule=L4&at=2", WIDE, "light", []),
    ("lab-dark", "#data=lecture4&rule=L4&at=4", WIDE, "dark", []),
    ("lab-iris", "#data=iris&columns=2,3&rule=L0&tie=positive&init=zeros&multi_class=joint", WIDE, "light", ["End"]),
    (
        "lab-compare",
        "#data=iris&columns=0,1&rule=L0&tie=positive&init=zeros&multi_class=joint&at=4000&b.rule=L3&b.init=zeros"
        "&b.eta0=2&b.multi_class=ovo&b.at=4000",
        WIDE,
        "dark",
        [],
    ),
    ("lab-circles", "#data=circles&rule=L2&tie=mistake&order=misclassified&init=zeros&at=40", WIDE, "light", []),
    ("lab-proof", "#data=and&rule=L0&tie=positive&init=zeros&at=16", TALL, "light", ["until:.walls-picture"]),
    ("lab-witness", "#data=xor&rule=L0&tie=positive&init=zeros", TALL, "light", ["End", "until:.witness"]),
    ("lab-boolean", "#bench=boolean&expression=majority(a, b, c)", TALL, "light", ["until:.cube-picture"]),
    ("lab-network", "#bench=boolean&expression=a xor b xor c", TALL, "dark", ["until:.network-picture"]),
    (
        "lab-spirals",
        "#data=spirals&rule=L0&tie=positive&init=zeros&max_steps=2000&bench=beyond&beyond.gamma=20",
        WIDE,
        "light",
        ["until:.gram"],
    ),
    (
        "lab-xor-kernel",
        "#data=xor&rule=L0&tie=positive&init=zeros&bench=beyond&beyond.kernel=poly&beyond.gamma=1",
        WIDE,
        "light",
        ["until:.gram"],
    ),
    (
        "lab-xor-network",
        "#data=xor&rule=L0&tie=positive&init=zeros&bench=beyond&beyond.way=network",
        WIDE,
        "dark",
        ["until:.panel-dual .network-picture"],
    ),
    (
        "lab-columns",
        "#data=iris&columns=2,3&view=weights&rule=L0&tie=positive&init=zeros&max_steps=2000&watch=0&at=500",
        WIDE,
        "light",
        ["until:.panel-proof .verdict"],
    ),
    (
        "lab-tiling",
        "#data=circles&rule=L0&tie=positive&init=zeros&max_steps=900&bench=nonlinear&nonlinear.method=network",
        WIDE,
        "light",
        ["until:.panel-dual .network-picture"],
    ),
    (
        "lab-votes",
        "#story=classes&step=2",
        TALL,
        "light",
        ["click:.panel-votes button", "until:.vote-table[data-side='1']"],
    ),
    ("lab-story-pocket", "#story=pocket", LAPTOP, "light", ["click:[data-part=choice-0]", "until:.answer .verdict"]),
    (
        "lab-story-walls",
        "#story=walls",
        LAPTOP,
        "dark",
        ["until:.walls-picture", "click:[data-part=choice-0]", "until:.answer .verdict", "End"],
    ),
    (
        "lab-story-phone",
        "#story=xor&step=2&lang=de",
        PHONE,
        "light",
        ["click:[data-part=choice-1]", "until:.answer .verdict", "until:.witness"],
    ),
    ("lab-phone", "#data=lecture4&rule=L4&at=2", PHONE, "light", []),
]


def picture(browser: Browser, address: str, state: str, window: dict[str, int], colours: str, keys: list[str]) -> bytes:
    """One state as PNG."""
    context = browser.new_context(viewport=window, color_scheme=colours, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(address + state)
    page.set_default_timeout(120_000)
    page.locator("#lab[data-state=ready]").wait_for()
    for key in keys:
        verb, _, what = key.partition(":")
        if verb == "until" and what:
            page.locator(what).first.wait_for()
        elif verb == "click" and what:
            page.locator(what).first.click()
        else:
            page.keyboard.press(key)
    page.wait_for_timeout(400)
    for proof in page.get_by_text("Looking for a proof").all():
        proof.wait_for(state="hidden")
    made = page.screenshot()
    context.close()
    return made


def main(wanted: list[str]) -> None:
    chromium = shutil.which("chromium") or sys.exit("needs Chromium: apt-get install -y chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(Path(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/index.html"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, state, window, colours, keys in STATES:
            if not wanted or name in wanted:
                (IMAGES / f"{name}.png").write_bytes(picture(browser, address, state, window, colours, keys))
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    main(sys.argv[1:])
