"""The lab's page: what opening it transfers, and what a step costs it.

    python -m benchmarks.lab_page

Needs playwright and Chromium. A step is one change of the position on the time line: the weights are added up, the
plane is drawn (without waiting for the screen), every panel and chart is brought up to date, and the layout is
computed. Its cost is the time that the page's thread computed, which other programs on the machine do not change; the
wall's clock is beside it.
"""

import re
import shutil
import subprocess
import sys

import numpy as np

STEPS = """async (unit) => {
    const { actions, planes, store } = window.rosenblattLab;
    const length = store.state.sides[0].replay.length;
    const spent = [];
    let at = 12345;
    for (let k = 0; k < 300; k++) {
        at = unit === "next" ? k : (at * 1103515245 + 12345) % 2147483648;
        const begin = performance.now();
        actions.go(at % (length + 1));
        planes[0].draw();
        void document.body.offsetHeight;
        spent.push(performance.now() - begin);
        if (k % 20 === 0) await new Promise(requestAnimationFrame);
    }
    return spent;
}"""

RUN = """async ({ points, rule }) => {
    const { actions, store } = window.rosenblattLab;
    const sides = [{ ...store.state.sides[0], rule: { ...store.state.sides[0].rule, ...rule } }, store.state.sides[1]];
    store.set({ sides });
    const begin = performance.now();
    await actions.setPoints({ ...store.state.data, source: { job: "points" }, points, classes: ["a", "b", "c"] });
    const { replay } = store.state.sides[0];
    return [performance.now() - begin, replay.length, replay.mistakes(Infinity)];
}"""


def overlapping(n: int, classes: int) -> list[dict[str, float]]:
    """Clouds that no line separates, so that a run goes on to its limit."""
    rng = np.random.default_rng(0)
    c = np.arange(n) % classes
    X = rng.normal(size=(n, 2)) + 1.5 * np.column_stack(
        [np.cos(2 * np.pi * c / classes), np.sin(2 * np.pi * c / classes)]
    )
    return [{"x": float(x), "y": float(y), "c": int(k)} for (x, y), k in zip(X, c, strict=True)]


def computed(profile) -> float:
    """Seconds that the page's thread has computed."""
    metrics = profile.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        sys.exit("needs playwright: pip install playwright")
    chromium = shutil.which("chromium") or sys.exit("needs Chromium: apt-get install -y chromium")
    command = [sys.executable, "-u", "-m", "rosenblatt", "lab", "--port", "0", "--no-browser"]
    lab = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.findall(r"http://\S+", lab.stdout.readline())[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1360, "height": 880})
            finished = []
            page.on("requestfinished", lambda request: finished.append(request))
            page.goto(address)
            page.locator("#lab[data-state=ready]").wait_for()
            sizes = [request.sizes() for request in list(finished)]
            transferred = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
            print(f"opening: {len(sizes)} requests, {transferred / 1000:.0f} kB")
            profile = page.context.new_cdp_session(page)
            profile.send("Performance.enable", {"timeDomain": "threadTicks"})
            print(f"{'a step to':<58} {'run':>8} {'thread':>9} {'wall, median':>13}")
            for classes, rule in ((2, "cyclic"), (2, "shuffle"), (3, "shuffle")):
                wish = {"order": rule, "init": "zeros", "max_steps": 100_000}
                spent, length, mistakes = page.evaluate(RUN, {"points": overlapping(1000, classes), "rule": wish})
                for unit in ("next", "anywhere"):
                    before = computed(profile)
                    wall = np.median(page.evaluate(STEPS, unit))
                    each = 1000 * (computed(profile) - before) / 300
                    name = f"{unit}: 1,000 points, {classes} classes, {length:,} steps, {mistakes:,} mistakes"
                    print(f"{name:<58} {spent / 1000:>6.1f} s {each:>6.1f} ms {wall:>10.1f} ms")
            browser.close()
    finally:
        lab.terminate()
        lab.wait()


if __name__ == "__main__":
    main()
