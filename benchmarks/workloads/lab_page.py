"""The page of the lab: bytes transferred on opening, and the cost of a step.

Needs playwright and Chromium. A step is one change of the position on the time line: the weights are added up, the
plane is drawn (without waiting for the screen), every panel and chart is updated, and the layout is
computed. Its cost is the processor time of the page's thread, which other programs on the machine do not change; the
wall-clock time is noted too.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.records import Result
from benchmarks.run import Run, Skip, seconds

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
    """Clouds that no line separates, so that a run reaches its limit."""
    rng = np.random.default_rng(0)
    c = np.arange(n) % classes
    X = rng.normal(size=(n, 2)) + 1.5 * np.column_stack(
        [np.cos(2 * np.pi * c / classes), np.sin(2 * np.pi * c / classes)]
    )
    return [{"x": float(x), "y": float(y), "c": int(k)} for (x, y), k in zip(X, c, strict=True)]


def computed(profile) -> float:
    """Seconds of computation of the page's main thread."""
    metrics = profile.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def measure(run: Run) -> Iterator[Result]:
    """One row per run and way of stepping: seconds of the page's main thread per step."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise Skip("needs playwright: pip install playwright") from None
    chromium = shutil.which("chromium")
    if chromium is None:
        raise Skip("needs Chromium: apt-get install -y chromium")
    command = [sys.executable, "-u", "-m", "rosenblatt", "lab", "--port", "0", "--no-browser"]
    lab = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.findall(r"http://\S+", lab.stdout.readline())[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1360, "height": 880})
            finished = []
            page.on("requestfinished", lambda request: finished.append(request))
            opening = seconds(lambda: _open(page, address))
            sizes = [request.sizes() for request in list(finished)]
            transferred = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
            requests = f"{len(sizes)} requests, {transferred / 1000:.0f} kB"
            yield Result("lab_page", "opening the lab", "synthetic", (opening,), notes=(requests,))
            yield from _steps(run, page)
            browser.close()
    finally:
        lab.terminate()
        lab.wait()


def _open(page, address: str) -> None:
    page.goto(address)
    page.locator("#lab[data-state=ready]").wait_for()


def _steps(run: Run, page) -> Iterator[Result]:
    profile = page.context.new_cdp_session(page)
    profile.send("Performance.enable", {"timeDomain": "threadTicks"})
    for classes, rule in ((2, "cyclic"), (2, "shuffle"), (3, "shuffle")):
        rule_settings = {"order": rule, "init": "zeros", "max_steps": run.size(100_000, 1000)}
        spent, length, mistakes = page.evaluate(RUN, {"points": overlapping(1000, classes), "rule": rule_settings})
        for unit in ("next", "anywhere"):
            before = computed(profile)
            wall = np.median(page.evaluate(STEPS, unit))
            yield Result(
                "lab_page",
                f"a step to {unit}: 1,000 points, {classes} classes, {rule}",
                "synthetic",
                ((computed(profile) - before) / 300,),
                notes=(
                    f"{length:,} steps, {mistakes:,} mistakes; the run took {spent / 1000:.1f} s; "
                    f"a step by the clock {wall:.1f} ms, the median",
                ),
            )
