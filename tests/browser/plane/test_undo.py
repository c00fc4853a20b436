"""Everything can be undone and done again, in the steps that a person made."""

from tests.browser.conftest import opened, state

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
