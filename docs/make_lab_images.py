"""Makes the pictures of the lab: `python docs/make_lab_images.py` (needs playwright and Chromium)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parent / "images"
WIDE = {"width": 1360, "height": 880}
PHONE = {"width": 390, "height": 844}

#: Name, address (the state of the lab is in it), window, colours, and keys to press.
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
    ("lab-phone", "#data=lecture4&rule=L4&at=2", PHONE, "light", []),
]


def picture(browser: Browser, address: str, state: str, window: dict[str, int], colours: str, keys: list[str]) -> bytes:
    """One state as PNG."""
    context = browser.new_context(viewport=window, color_scheme=colours, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(address + state)
    page.locator("#lab[data-state=ready]").wait_for()
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_timeout(400)
    made = page.screenshot()
    context.close()
    return made


def main(wanted: list[str]) -> None:
    chromium = shutil.which("chromium") or sys.exit("needs Chromium: apt-get install -y chromium")
    lab = subprocess.Popen(
        [sys.executable, "-u", "-m", "rosenblatt", "lab", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.findall(r"http://\S+", lab.stdout.readline())[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for name, state, window, colours, keys in STATES:
                if not wanted or name in wanted:
                    (IMAGES / f"{name}.png").write_bytes(picture(browser, address, state, window, colours, keys))
            browser.close()
    finally:
        lab.terminate()
        lab.wait()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    main(sys.argv[1:])
