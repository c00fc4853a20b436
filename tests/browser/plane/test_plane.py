"""Hands on the plane: paint, drag, erase, and take w itself."""

from tests.browser.conftest import state, wait_for_run, weights


def spot(page, x, y, plane=0):
    """Where a point of the plane is on the screen."""
    return page.evaluate(
        """([x, y, which]) => {
            const plane = window.rosenblattLab.planes[which];
            const box = plane.element.getBoundingClientRect();
            const { cx, cy, scale, width, height } = plane.view;
            return [box.left + width / 2 + (x - cx) * scale, box.top + height / 2 - (y - cy) * scale];
        }""",
        [x, y, plane],
    )


def click(page, x, y):
    page.mouse.click(*spot(page, x, y))


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def test_painted_points_are_finished_until_they_are_separated(page):
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Paint class −1").click()
    for x, y in [(-3, 2), (-2, 4), (0, 5)]:
        click(page, x, y)
    page.get_by_role("button", name="Paint class 1", exact=True).click()
    for x, y in [(4, -2), (6, 1), (7, -4)]:
        click(page, x, y)
    wait_for_run(page)
    assert len(state(page, "data.points")) == 6
    page.get_by_role("button", name="To the end").click()
    assert "separated" in page.locator(".caption").first.inner_text()
    w0, w1, w2 = weights(page)
    for point in state(page, "data.points"):
        assert (w0 + w1 * point["x"] + w2 * point["y"] > 0) == (point["c"] == 1)


def test_a_point_can_be_dragged_and_erased(page):
    drag(page, spot(page, 5, 7), spot(page, 1, 2))
    wait_for_run(page)
    moved = state(page, "data.points")[0]
    assert abs(moved["x"] - 1) < 0.1
    assert abs(moved["y"] - 2) < 0.1
    page.get_by_role("button", name="Erase").click()
    click(page, 2, 6)
    page.locator(".caption .error").wait_for()
    assert "one class" in page.locator(".caption").first.inner_text()
    assert len(state(page, "data.points")) == 1


def test_w_can_be_taken_by_hand_and_the_run_starts_from_there(page):
    drag(page, spot(page, 0, 1), spot(page, 3, -2))
    wait_for_run(page)
    start = state(page, "sides.0.rule.start")
    assert abs(start[1] - 3) < 0.1
    assert abs(start[2] + 2) < 0.1
    page.keyboard.press("Home")
    assert weights(page) == start
    page.keyboard.press("End")
    assert "separated" in page.locator(".caption").first.inner_text()


def test_a_touch_paints(lab, open_page):
    page = open_page(lab.address, has_touch=True)
    wait_for_run(page)
    page.get_by_role("button", name="Paint class 1", exact=True).tap()
    page.touchscreen.tap(*spot(page, 8, 1))
    wait_for_run(page)
    assert len(state(page, "data.points")) == 3


def test_the_wheel_zooms_and_a_key_shows_all_again(page):
    before = page.evaluate("() => window.rosenblattLab.planes[0].view.scale")
    page.mouse.move(*spot(page, 2, 2))
    page.mouse.wheel(0, -300)
    for _ in range(100):
        if page.evaluate("() => window.rosenblattLab.planes[0].view.scale") > 1.5 * before:
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError("the wheel did not zoom")
    page.keyboard.press("0")
    assert page.evaluate("() => window.rosenblattLab.planes[0].view.scale") == before


def test_pictures_are_saved_as_png_and_svg(page, tmp_path):
    page.keyboard.press("m")
    with page.expect_download() as png:
        page.get_by_role("button", name="PNG").click()
    png.value.save_as(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as svg:
        page.get_by_role("button", name="SVG").click()
    svg.value.save_as(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text.startswith("<svg")
    assert "w + ηyx" in text


def test_who_looks_at_the_end_sees_the_end_follow_a_dragged_point(page):
    page.keyboard.press("End")
    before = weights(page)
    drag(page, spot(page, 5, 7), spot(page, 1, 2))
    wait_for_run(page)
    assert state(page, "sides.0.at") == state(page, "sides.0.replay.length")
    assert weights(page) != before
    assert "separated" in page.locator(".caption").first.inner_text()


def test_a_run_of_points_that_have_changed_since_is_not_taken_for_the_run_of_those_in_sight(page):
    standing = page.evaluate(
        """async () => {
            const { transport, actions, root } = window.rosenblattLab;
            const ask = transport.ask;
            let release;
            const held = new Promise((resolve) => (release = resolve));
            const computed = new Promise((resolve) => {
                transport.ask = async (job, body, options) => {
                    const answer = await ask(job, body, options);
                    if (job === "run") {
                        resolve();
                        await held;
                    }
                    return answer;
                };
            });
            actions.addPoint(1, 1, 0);
            await computed;
            actions.addPoint(2, 2, 0);
            release();
            await new Promise((resolve) => setTimeout(resolve, 0));
            return root.dataset.state;
        }"""
    )
    assert standing == "busy"
    wait_for_run(page)
    assert page.evaluate("rosenblattLab.store.state.sides[0].replay.points.length") == 4
