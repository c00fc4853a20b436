"""The lab in German: no English word is left, not in errors of the engine, labels for screen readers or proofs."""

import json
import re

import pytest

from rosenblatt import data
from rosenblatt.lab.jobs.service import Service
from tests.browser.conftest import state, wait_for_run
from tests.lab.test_messages import REFUSED, translated

ENGLISH = re.compile(
    r"\b(the|this|that|is|are|of|must|has|have|not|from|which|with|without|or|and|points?|examples?|mistakes?|line|"
    r"start|step|next|class|loading|separable|proof|weights?)\b",
    re.IGNORECASE,
)
SPOKEN = ("aria-label", "title", "placeholder", "alt")
TEXTS = """
(names) => {
  const found = new Set();
  const lab = document.getElementById("lab");
  const walker = document.createTreeWalker(lab, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    const element = node.nodeType === 3 ? node.parentElement : node;
    if (element.closest(".python, .tries, .hint[lang=en], [value=en]")) continue;
    if (node.nodeType === 3) found.add(node.textContent.trim());
    else names.forEach((name) => node.hasAttribute(name) && found.add(node.getAttribute(name)));
  }
  return [...found];
}
"""
SETTLED = """
() => !rosenblattLab.store.state.loading && rosenblattLab.store.state.sides.every((side) => !side.busy)
  && !document.querySelector(".panel-boolean[data-state=busy], .panel-nonlinear[data-state=busy]")
"""
#: Names that are the same in both languages, and code.
NAMES = ("rosenblatt lab", "class, label, target", "x1,x2,class", "and, or, not, xor", "<->, majority")


@pytest.fixture(params=["lab", "site"])
def address(request):
    found = request.getfixturevalue(request.param)
    return found if isinstance(found, str) else found.address


def english_words(page):
    texts = page.evaluate(TEXTS, SPOKEN)
    assert len(texts) > 50
    for name in NAMES:
        texts = [text.replace(name, "") for text in texts]
    return [text for text in texts if text not in data.names() and ENGLISH.search(text)]


STATES = [
    "data=and&rule=L0&tie=mistake&init=zeros&at=100000",
    "data=xor&rule=L2&init=zeros&at=7",
    "data=majority&rule=L1&init=zeros&at=2",
    "data=iris&rule=L4&multi_class=ovo&at=40",
    "data=iris&rule=L0&algorithm=pocket&multi_class=joint&at=40",
    "data=spirals&rule=L0&init=zeros&bench=nonlinear",
    "data=xor&rule=L0&init=zeros&bench=nonlinear&nonlinear.method=network",
    "bench=boolean&expression=a xor b",
    "bench=boolean&expression=a implies",
    "points=1,2,0;3,4,0&rule=L0",
    "story=pocket&step=2",
    "story=classes",
    "story=kernel",
]


def test_a_german_lab_shows_no_english_word(open_page, address):
    page = open_page(f"{address}#lang=de&{STATES[0]}")
    for shown in STATES:
        page.evaluate("(hash) => { location.hash = hash; }", f"lang=de&{shown}&show=all")
        page.wait_for_url("**#chars=*")
        page.locator("#lab[lang=de]").wait_for()
        page.wait_for_function(SETTLED)
        found = english_words(page)
        assert found == [], (shown, found)


def test_an_error_of_the_engine_is_german(open_page, address):
    page = open_page(f"{address}#data=and&rule=L0&lang=de")
    wait_for_run(page)
    page.evaluate("rosenblattLab.actions.loadText('1,2,a\\n3,foo,b\\n4,5,a\\n', 'meine.csv')")
    page.get_by_role("alert").filter(has_text="meine.csv, Zeile 2, Spalte").wait_for()
    assert "'foo' ist keine Zahl" in page.get_by_role("alert").filter(has_text="meine.csv").inner_text()


def test_the_page_translates_every_refusal_as_the_test_of_the_catalogue_does(open_page, site):
    page = open_page(f"{site}#lang=de")
    wait_for_run(page)
    answers = [Service().answer(job, json.dumps(body), lambda _progress: None)[1] for job, body in REFUSED]
    messages = [json.loads(answer)["message"] for answer in answers]
    made = page.evaluate(
        "async (messages) => { const { translated } = await import('./static/ui/messages.js');"
        " return messages.map((message) => translated(message)); }",
        messages,
    )
    grouped = [re.sub(r"(?<=\d),(?=\d{3}\b)", "\u202f", translated(message, "de")) for message in messages]
    assert made == grouped


@pytest.mark.parametrize(("story", "names"), [("classes", ["links", "Mitte", "rechts"]), ("pocket", ["nein", "ja"])])
def test_a_german_story_names_its_classes_in_german(open_page, site, story, names):
    page = open_page(f"{site}#story={story}&lang=de")
    wait_for_run(page)
    assert state(page, "data.classes") == names


def test_a_saved_replay_has_a_german_title(open_page, site, tmp_path):
    page = open_page(f"{site}#data=lecture4&lang=de", locale="de-DE")
    wait_for_run(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML-Aufzeichnung").click()
    saved = tmp_path / "lauf.html"
    download.value.save_as(saved)
    assert '<html lang="de">' in saved.read_text()
    assert "<title>Der Lauf eines Perzeptrons</title>" in saved.read_text()
    replay = open_page(saved.as_uri(), locale="de-DE")
    wait_for_run(replay)
    assert replay.title() == "Der Lauf eines Perzeptrons"
    replay.locator("select.language").select_option("en")
    replay.wait_for_function('document.title === "A perceptron\'s run"')


def test_a_browser_without_javascript_gets_a_sentence_in_each_language(open_page, static_lab):
    page = open_page(static_lab, java_script_enabled=False)
    assert page.locator("noscript p[lang=en]").is_visible()
    assert "JavaScript" in page.locator("noscript p[lang=de]").inner_text()
