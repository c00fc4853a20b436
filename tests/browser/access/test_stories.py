"""All stories by script: each step sets the lab, asks, shows, answers; picture and time are in sight at every size."""

import itertools
import json

import pytest

from rosenblatt.lab.page.assets import STATIC, text
from rosenblatt.lab.page.site import single_file
from tests.browser.access.test_access import CONTRAST
from tests.browser.conftest import state, wait_for_run

PATIENCE = 180_000
SIZES = {"laptop": (1280, 800), "desktop": (1920, 1080), "phone": (390, 844)}
LOOKS = list(itertools.product(SIZES, ["light", "dark"]))
TEXTS = {
    language: json.loads((STATIC / "strings" / f"{language}.json").read_text("utf-8")) for language in ("en", "de")
}
STORIES = [key.split(".")[1] for key in TEXTS["en"] if key.startswith("story.") and key.endswith(".title")]


def open_story(open_page, address, story, size=(1280, 800), **options):
    page = open_page(f"{address}#story={story}", viewport={"width": size[0], "height": size[1]}, **options)
    page.set_default_timeout(PATIENCE)
    wait_for_run(page)
    page.locator(f".story[data-story={story}]").wait_for()
    return page


def is_in_sight(page, selector):
    """Whether an element is whole inside the window."""
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


def steps_of(page, story):
    return page.evaluate(
        """async (id) => {
            const {storyOf} = await import('/static/stories/stories.js');
            return storyOf(id).steps.map(({right, panels}) => ({right, panels}));
        }""",
        story,
    )


def settled(page):
    """Waits until the lab shows the answer to its present state: no run, no request and no playing under way.

    A request for a nonlinear boundary starts some time after the change, so the previous answer may still be shown.
    """
    page.wait_for_function(
        """() => {
            const {sides, loading, playing, nonlinear, bench} = rosenblattLab.store.state;
            const {method, moment, answer, busy} = nonlinear;
            return !loading && !playing && sides[0].replay && !sides.some((side) => side.busy)
                && (bench !== "nonlinear"
                    || (!busy && answer?.method === method && (moment === null || answer.moment === moment)));
        }"""
    )


def show_end(page):
    """Ends a playing answer at once, as a person does who presses End."""
    page.evaluate("() => rosenblattLab.store.state.playing && rosenblattLab.actions.go(Infinity)")
    settled(page)


def time_line(page):
    return ".panel-moment .moment" if state(page, "bench") == "nonlinear" else ".panel-time .scrub"


def look_at_it(page):
    """Looks at the page at three sizes, in light and dark: picture and time in sight, no overflow, text legible."""
    for size, scheme in LOOKS:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.locator(f"#lab.{scheme}").wait_for()
        assert is_in_sight(page, ".plane"), (size, scheme)
        if page.locator(time_line(page)).is_visible():
            assert is_in_sight(page, time_line(page)), (size, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (size, scheme)
        assert page.evaluate(CONTRAST) == [], (size, scheme)
    settled(page)


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_told_to_its_end_at_every_size_in_light_and_dark(lab, open_page, story):
    page = open_story(open_page, lab.address, story)
    steps = steps_of(page, story)
    for k, step in enumerate(steps):
        page.locator(f".story[data-step='{k + 1}'][data-answered=false]").wait_for()
        settled(page)
        assert page.locator(".answer").inner_text().strip() == ""
        look_at_it(page)
        # The first prediction is the first choice, right or wrong; later ones are right.
        choice = 0 if k == 0 else step["right"]
        position = "JSON.stringify(rosenblattLab.store.state.sides.map(({at}) => at))"
        before, picture = page.evaluate(position), page.evaluate("rosenblattLab.planes[0].element.toDataURL()")
        page.locator(f"[data-part=choice-{choice}]").click()
        page.locator(".story[data-answered=true]").wait_for()
        show_end(page)
        kind = "right" if choice == step["right"] else "wrong"
        assert page.locator(f".answer .verdict.{kind}").is_visible()
        assert page.locator(".choice.right").count() == 1
        if page.evaluate(position) == before:
            page.wait_for_function("old => rosenblattLab.planes[0].element.toDataURL() !== old", arg=picture)
        look_at_it(page)
        for panel in step.get("panels") or ["step"]:
            assert page.locator(f".panel-{panel}").is_visible()
        if k + 1 < len(steps):
            page.locator("[data-part=next]").click()
    assert story in state(page, "finished")


@pytest.mark.parametrize("size", [SIZES["laptop"], SIZES["desktop"]])
def test_text_picture_and_time_are_in_sight_together(lab, open_page, size):
    page = open_story(open_page, lab.address, "pocket", size)
    page.locator("[data-part=choice-0]").click()
    settled(page)
    for selector in (".story[data-step]", ".plane", ".scrub", ".controls", ".under", ".pocket-counters"):
        assert is_in_sight(page, selector), selector
    text_box, picture = page.locator(".story[data-step]").bounding_box(), page.locator(".plane").first.bounding_box()
    assert text_box["x"] + text_box["width"] <= picture["x"]


def test_every_text_of_every_story_fits_beside_the_plane(lab, open_page):
    page = open_story(open_page, lab.address, "update", SIZES["laptop"])
    too_long = page.evaluate(
        """async () => {
            const {STORIES} = await import('/static/stories/stories.js');
            const {store} = rosenblattLab, found = [];
            for (const lang of ['en', 'de']) {
                store.set({lang});
                for (const {id, steps} of STORIES) steps.forEach(({right}, step) => {
                    store.set({story: {id, step, choice: right}});
                    const area = document.querySelector('.area.story');
                    if (area.scrollHeight > area.clientHeight) found.push([lang, id, step]);
                });
            }
            return found;
        }"""
    )
    assert too_long == []


def test_on_a_phone_the_picture_is_above_the_text_and_the_controls_are_below(lab, open_page):
    page = open_story(open_page, lab.address, "update", SIZES["phone"], has_touch=True)
    picture, story = page.locator(".plane").first.bounding_box(), page.locator(".story[data-step]").bounding_box()
    assert picture["y"] + picture["height"] <= story["y"]
    page.evaluate("scrollTo(0, 400)")
    assert is_in_sight(page, ".plane")
    controls = page.locator(".panel-time .controls").bounding_box()
    assert controls["y"] > 2 / 3 * 844
    assert is_in_sight(page, ".panel-time .controls")


def test_the_counters_of_the_pocket_are_those_of_the_textbook(lab, open_page):
    from rosenblatt import textbook

    page = open_story(open_page, lab.address, "pocket")
    settled(page)
    points = state(page, "data.points")
    rows = [[point["x"], point["y"]] for point in points]
    signs = [1 if point["c"] else -1 for point in points]
    for at in (0, 1, 9, 10, 37, 38, 58, 258, 500):
        page.evaluate("at => rosenblattLab.actions.go(at)", at)
        shown = {key: page.locator(f"[data-pocket={key}]").inner_text() for key in ("run", "run_pocket", "w_pocket")}
        run, run_pocket, w_pocket = 0, 0, [0.0, 0.0, 0.0]
        steps = textbook.online(rows, signs, tie="positive", init="zeros", max_steps=900)
        for step in itertools.islice(steps, at):
            if step.mistake and run > run_pocket:
                run_pocket, w_pocket = run, step.w_before.tolist()
            run = 0 if step.mistake else run + 1
        numbers = [float(number) for number in shown["w_pocket"].replace("−", "-").strip("[]").split(",")]
        assert (int(shown["run"]), int(shown["run_pocket"]), numbers) == (run, run_pocket, w_pocket)


def test_the_stories_answers_are_what_the_library_computes():
    from rosenblatt import KernelPerceptron, Perceptron, data, separability

    def mistakes(rows, signs, order="cyclic", **rule):
        return int(Perceptron(init="zeros", order=order, **rule).fit(rows, signs).n_mistakes_)

    table = data.load("and")
    rows, signs = table.X, [1 if label else -1 for label in table.y]
    assert [mistakes(rows, signs, tie=tie) for tie in ("mistake", "positive", "negative")] == [18, 11, 10]
    assert mistakes(rows, signs, tie="positive", eta0=0.25) == 11
    assert mistakes(rows + 2, signs, tie="positive") == 97
    assert separability(rows + 2, signs).mistake_bound == 2451
    assert mistakes(rows, signs, tie="positive", order="shuffle", random_state=1) == 13
    assert mistakes([[0, 0], [0, 1], [1, 0]], [-1, 1, 1], tie="positive") == 5
    dual = KernelPerceptron(kernel="linear", order="cyclic").fit(rows, signs)
    assert dual.dual_coef_.ravel().tolist() == [-2, -5, -4, 7]
    circles = data.load("circles")
    gaussian = KernelPerceptron(kernel="rbf", order="cyclic").fit(circles.X, circles.y)
    assert (int(gaussian.n_mistakes_), len(gaussian.support_)) == (13, 10)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_language_is_the_addresss_or_the_browsers(lab, open_page, language):
    for address, locale in ((f"{lab.address}#lang={language}", "fr-FR"), (lab.address, f"{language}-CH")):
        page = open_page(address, locale=locale)
        wait_for_run(page)
        assert page.locator("#lab").get_attribute("lang") == language
        assert page.locator(".stories-button").inner_text() == TEXTS[language]["stories.label"]
        assert page.locator("#panel-step").inner_text().upper() == TEXTS[language]["step.title"].upper()


def test_another_language_keeps_data_and_position(lab, open_page):
    page = open_page(f"{lab.address}#data=lecture4&rule=L4&at=3")
    wait_for_run(page)
    page.get_by_label("Language").select_option("de")
    assert page.locator(".panel-step .verdict").inner_text() == TEXTS["de"]["step.wrong"]
    assert state(page, "sides.0.at") == 3
    page.keyboard.press("ArrowRight")
    assert state(page, "sides.0.at") == 4
    page.wait_for_function("() => location.hash.includes('lang=de')")
    page.get_by_label("Sprache").select_option("en")
    assert page.locator(".panel-step .verdict").inner_text() == TEXTS["en"]["step.wrong"]


def test_the_single_file_tells_its_stories_in_german_without_a_request(open_page, tmp_path):
    (tmp_path / "lab.html").write_text(single_file(), encoding="utf-8")
    page = open_page(f"file://{tmp_path}/lab.html#story=update&lang=de")
    wait_for_run(page)
    assert page.locator(".story-title").inner_text() == TEXTS["de"]["story.update.title"]
    page.locator("[data-part=choice-1]").click()
    page.locator(".answer .verdict.right").wait_for()
    assert TEXTS["de"]["story.update.first.answer"] in page.locator(".answer").inner_text()
    assert state(page, "sides.0.at") == 1
    asked = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert [name for name in asked if not name.startswith(("blob:", "data:"))] == []


def test_links_to_the_lessons_of_earlier_versions_open_stories(lab, open_page):
    page = open_page(f"{lab.address}#lesson=converge")
    wait_for_run(page)
    page.locator(".story[data-story=walls]").wait_for()


def test_the_list_of_stories_is_reached_by_a_key(page):
    page.keyboard.press("s")
    assert page.locator(".story-list button").count() == len(STORIES) >= 10
    page.keyboard.press("s")
    assert page.locator(".story-list").count() == 0


def test_every_story_has_every_text():
    source = text("stories/stories.js")
    assert len(STORIES) == source.count("    source: ")
