"""The first minute: nothing absurd is drawn, no label overprints, programs run as shown, everything can be undone."""

import warnings

import numpy as np
import pytest

from tests.browser.conftest import state, wait_for_run
from tests.browser.test_engine import painted, served


def opened(lab, open_page, address, **options):
    page = open_page(lab.address + address, **options)
    wait_for_run(page)
    return page


def test_zero_weights_draw_neither_vectors_nor_regions(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros")
    shapes = page.evaluate("rosenblattLab.planes[0].shapes().map(({ kind, text }) => text ?? kind)")
    assert not [shape for shape in shapes if shape in ("arrow", "polygon") or "drawn" in shape]
    assert shapes.count("marker") == 4


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


def test_the_handle_of_w_is_a_ring_around_a_point_that_it_would_hide(lab, open_page):
    """AND: w = (1, 1) after the third mistake, where the only positive point is."""
    page = opened(lab, open_page, "#data=and&rule=L0&tie=mistake&init=zeros&at=5")
    x, y = page.evaluate(
        "(({ view }) => { const p = rosenblattLab.planes[0].shapes().filter((s) => s.kind === 'marker');"
        " return p.at(-1).at; })(rosenblattLab.planes[0])"
    )
    shapes = page.evaluate("rosenblattLab.planes[0].shapes().map(({ kind, at, r, b }) => ({ kind, at, r, b }))")
    near = [shape for shape in shapes if shape.get("at") and np.hypot(shape["at"][0] - x, shape["at"][1] - y) < 5]
    assert sorted(shape["kind"] for shape in near) == ["marker", "ring"]
    assert all(np.hypot(shape["b"][0] - x, shape["b"][1] - y) > 9 for shape in shapes if shape["kind"] == "arrow")


def test_points_behind_points_of_another_class_can_be_seen(lab, open_page):
    """Majority in two of its three columns: (0, 1) is positive with the third input, and negative without."""
    page = opened(lab, open_page, "#data=majority&rule=L0&init=zeros")
    markers = page.evaluate(
        "rosenblattLab.planes[0].shapes().filter(({ shape }) => shape).map(({ at, r }) => [...at, r])"
    )
    sizes = {}
    for across, up, r in markers:
        sizes.setdefault((across, up), set()).add(r)
    assert sorted(len(found) for found in sizes.values()) == [1, 1, 2, 2]


OVERLAPS = """async () => {
    const texts = rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === "text");
    const pen = document.createElement("canvas").getContext("2d");
    const boxOf = ({ at: [x, y], text, anchor, italic }) => {
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        return [left, y - 9, left + width, y + 2];
    };
    return texts.flatMap((one, k) => texts.slice(k + 1).flatMap((other) => {
        const [[left, top, right, bottom], [l, t, r, b]] = [boxOf(one), boxOf(other)];
        return left < r && l < right && top < b && t < bottom ? [`${one.text} over ${other.text}`] : [];
    }));
}"""


OPEN = """async (hash) => {
    const { openFromUrl } = await import("/static/state/url.js");
    await openFromUrl(rosenblattLab, hash);
}"""


def test_labels_never_overprint(lab, open_page):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros&also=pocket,average")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    many = ";".join(f"{(7 * k) % 11 / 10},{(5 * k) % 7 / 10},{k % 2}" for k in range(14))
    for address in ("", "#data=lecture4&rule=L4", f"#points={many}&rule=L0&tie=mistake&init=zeros&max_steps=90"):
        if address:
            page.evaluate(OPEN, address)
        for at in range(14):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(OVERLAPS) == [], (address, at)


COVERED = """() => {
    const shapes = rosenblattLab.planes[0].shapes();
    const pen = document.createElement("canvas").getContext("2d");
    const points = shapes.filter(({ kind, fill }) => kind === "marker" && fill);
    return shapes.filter(({ kind, text }) => kind === "text" && /^(w|w \\+ ηyx|ηyx)$|×/.test(text)).flatMap((label) => {
        const { at: [x, y], text, anchor, italic } = label;
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        const hit = ({ at: [px, py] }) => px > left - 4 && px < left + width + 4 && py > y - 13 && py < y + 6;
        return points.some(hit) ? [text] : [];
    });
}"""


def test_a_label_covers_no_point_and_no_tip(lab, open_page):
    page = opened(lab, open_page, "#story=unit", viewport={"width": 390, "height": 844})
    for address in ("#story=unit", "#data=xor&rule=L0&tie=positive&init=zeros", "#story=origin&step=2"):
        page.evaluate(OPEN, address)
        for at in range(13):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(COVERED) == [], (address, at)


def test_before_the_first_mistake_a_kernel_draws_no_regions(lab, open_page):
    page = opened(lab, open_page, "#story=dual")
    page.wait_for_function("() => rosenblattLab.store.state.nonlinear.answer?.moment === 0")
    polygons = "rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === 'polygon').length"
    assert page.evaluate(polygons) == 0
    page.locator("[data-part=choice-0]").click()
    page.wait_for_function("() => rosenblattLab.store.state.nonlinear.answer?.moment === 1")
    assert page.evaluate(polygons) > 0


CUT_OFF = """() => {
    const { view } = rosenblattLab.planes[0];
    const pen = document.createElement("canvas").getContext("2d");
    const texts = rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === "text");
    return texts.flatMap(({ at: [x, y], text, anchor, italic }) => {
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        return left < 0 || left + width > view.width || y < 9 || y + 2 > view.height ? [`${text} at ${x}, ${y}`] : [];
    });
}"""
LONG = "a column whose name has more letters than a phone has room for in one line of text"
PHONE_STATES = (
    "#data=and&rule=L0&tie=positive&init=zeros",
    "#data=xor&rule=L0&tie=positive&init=zeros&also=pocket,average",
    "#data=lecture4&rule=L4",
    "#data=majority&rule=L3&eta0=2&init=zeros",
    "#data=iris&columns=2,3&rule=L0&multi_class=ova",
    "#data=spirals&rule=L0&tie=mistake&init=zeros&max_steps=400",
    f"#points=1,2,0;3,4,1;2,9,1&columns={LONG},{LONG}&rule=L0",
)


def test_no_label_is_cut_off_by_the_edge_of_a_phone(lab, open_page):
    page = open_page(lab.address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wait_for_run(page)
    for address in PHONE_STATES:
        page.evaluate(OPEN, address)
        wait_for_run(page)
        shown = page.evaluate("rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === 'text').length")
        assert shown >= 4, address
        for at in (0, 1, 2, 3, 5, 8, 13, 10**6):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(CUT_OFF) == [], (address, at)


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


def test_everything_can_be_undone_and_done_again(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros&at=5")
    page.wait_for_function("() => rosenblattLab.store.state.sides[0].at === 5")
    start = {key: state(page, key) for key in UNDONE}
    page.get_by_role("button", name="Clear").click()  # asks nothing
    page.locator(".panel-data .summary", has_text="0 points").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    page.wait_for_function("() => rosenblattLab.store.state.sides[0].at === 5")
    for change in CHANGES:
        page.evaluate(change)
        page.wait_for_function("() => !rosenblattLab.store.state.loading")
    changed = {key: state(page, key) for key in UNDONE}
    assert all(changed[key] != start[key] for key in UNDONE)
    steps = 0
    while state(page, "canUndo"):
        page.evaluate("rosenblattLab.actions.undo()")
        steps += 1
    assert steps == len(CHANGES)
    assert {key: state(page, key) for key in UNDONE} == start
    while state(page, "canRedo"):
        page.evaluate("rosenblattLab.actions.redo()")
    assert {key: state(page, key) for key in UNDONE} == changed
    page.locator("canvas").first.focus()
    page.keyboard.press("Control+z")
    assert state(page, "canRedo")


UNDONE = [
    "data.points",
    "sides.0.rule",
    "extraLines",
    "show",
    "bench",
    "nonlinear.kernel",
    "boolean.expression",
    "compare",
]
CHANGES = [
    "rosenblattLab.actions.addPoint(2, 2, 1)",
    "rosenblattLab.actions.setRule({ tie: 'negative' })",
    "rosenblattLab.actions.loadSet('or')",
    "rosenblattLab.store.set({ extraLines: { pocket: true, average: false } })",
    "rosenblattLab.store.set({ show: { ...rosenblattLab.store.state.show, vectors: false } })",
    "rosenblattLab.actions.setCompare(true)",
    "rosenblattLab.store.set({ bench: 'nonlinear' })",
    "rosenblattLab.store.set({ nonlinear: { ...rosenblattLab.store.state.nonlinear, kernel: 'poly' } })",
    "rosenblattLab.store.set({ boolean: { ...rosenblattLab.store.state.boolean, expression: 'a or b' } })",
]


def test_two_clicks_are_two_steps_and_a_stroke_is_one(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros")
    page.keyboard.press("p")
    box = page.locator("canvas").first.bounding_box()
    place = [box["x"] + 0.8 * box["width"], box["y"] + 0.2 * box["height"]]
    page.mouse.click(*place)
    page.mouse.click(place[0], place[1] + 30)
    page.mouse.move(place[0] - 200, place[1])
    page.mouse.down()
    for step in range(1, 5):
        page.mouse.move(place[0] - 200, place[1] + 40 * step)
    page.mouse.up()
    painted_points = len(state(page, "data.points"))
    assert painted_points > 8
    counts = []
    while state(page, "canUndo"):
        page.evaluate("rosenblattLab.actions.undo()")
        counts.append(len(state(page, "data.points")))
    assert counts == [6, 5, 4]


def test_the_spirals_open_with_a_kernel_that_separates_them(lab, open_page):
    page = opened(lab, open_page, "#data=and&rule=L0&tie=positive&init=zeros")
    page.get_by_label("Data set").select_option("spirals")
    page.locator(".panel-nonlinear[data-state=solved]").wait_for(timeout=120_000)
    assert state(page, "bench") == "nonlinear"
    page.get_by_role("button", name="Undo").click()
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    assert state(page, "bench") == "line"


def test_a_witness_with_long_multipliers_fits_the_page(lab, open_page):
    rows = [(0.1, 0.2, 0), (1.1234567890123, 1.3, 0), (0.30000000001, 2.41234567, 0), (0.5, 1.0001, 1)]
    points = ";".join(f"{x},{y},{c}" for x, y, c in rows)
    page = opened(lab, open_page, f"#points={points}&rule=L0&tie=mistake&init=zeros&max_steps=900")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    weights = page.locator(".witness li").evaluate_all("items => items.map((item) => item.dataset.weight)")
    assert max(map(len, weights)) > 30
    assert page.locator(".witness").evaluate("list => list.scrollWidth <= list.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert max(map(len, page.locator(".witness li").all_inner_texts())) < 60
    labels = page.evaluate(
        "rosenblattLab.planes[0].shapes().filter(({ text }) => text?.startsWith('λ')).map(({ text }) => text)"
    )
    assert labels
    assert max(map(len, labels)) < 20


def test_an_example_has_one_number_everywhere(lab, open_page):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros&at=7")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    assert "Example 3:" in page.locator(".panel-step").inner_text()  # the seventh step presents the third of four
    assert "Step 7 of" in page.locator(".panel-time .where").inner_text()
    found = page.locator(".witness li").all_inner_texts()
    assert [text.split(":")[0] for text in found] == ["Example 1", "Example 2", "Example 3", "Example 4"]
    text = page.locator(".panel-proof").inner_text()
    page.get_by_label("Data set").select_option("and")
    page.locator(".panel-proof[data-proof=separable]").wait_for()
    text = page.locator(".panel-proof").inner_text()
    assert "in the space of x," in text
    assert "in the space of (1, x), where the run takes place, γ² =" in text


def test_coordinates_are_rounded_and_exact_on_demand(lab, open_page):
    page = opened(lab, open_page, "#points=0.123456789012345,1,0;2,3,1&rule=L0&tie=mistake&init=zeros&at=1")
    place = page.locator(".panel-step .place")
    assert place.inner_text() == "(0.12346, 1)"
    page.get_by_role("button", name="exact").click()
    assert place.inner_text() == "[0.123456789012345, 1]"
    assert "0.123456789012345" in page.locator(".panel-step .w").inner_text()
