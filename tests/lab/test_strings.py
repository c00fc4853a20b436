"""The texts of the page: one catalogue a language, with the same keys and places, and every text in use."""

import json
import re

import pytest

from rosenblatt.conventions import ENDINGS
from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.page.assets import STATIC, text
from rosenblatt.learning.status import MEANING
from tests.lab.test_export import modules

CATALOGUES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "strings").glob("*.json"))}
ENGLISH = CATALOGUES["en"]
PAGE = STATIC.parent / "page"
OTHERS = sorted(set(CATALOGUES) - {"en"})


def forms(entry):
    """The texts of a key: one, or one for each plural form."""
    return [entry] if isinstance(entry, str) else list(entry.values())


def places(entry):
    return set().union(*(re.findall(r"\{(\w+)\}", form) for form in forms(entry)))


def used():
    """The keys that modules name, and patterns for those that they put together."""
    names, patterns = set(), set()
    for name in modules():
        if name.startswith(("engine/", "strings/")):
            continue
        source = text(name)
        names |= set(re.findall(r'"([a-z]+(?:\.\w+)+)"', source))
        for made in re.findall(r"`([a-z]+\.[^`=]*\$\{[^`=]*)`", source):
            patterns.add(re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", r"\\w+", made.replace(".", r"\.")))
    for path in PAGE.rglob("*.py"):
        names |= set(re.findall(r"\[[\"'](page\.\w+)[\"']\]", path.read_text("utf-8")))
    return names, patterns


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_keys_and_places_of_english(language):
    other = CATALOGUES[language]
    assert list(other) == list(ENGLISH)
    assert {key: places(entry) for key, entry in other.items()} == {
        key: places(entry) for key, entry in ENGLISH.items()
    }
    assert [key for key in other if isinstance(other[key], str) != isinstance(ENGLISH[key], str)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_translated_not_copied(language):
    """Names, symbols and keys of the keyboard may be the same; sentences may not."""
    same = [key for key, entry in CATALOGUES[language].items() if entry == ENGLISH[key]]
    assert [
        key for key in same if any(len(re.findall(r"[A-Za-z]{2,}", form)) > 3 for form in forms(ENGLISH[key]))
    ] == []


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_plural_forms_are_those_that_browsers_choose(language):
    assert {form for entry in CATALOGUES[language].values() if isinstance(entry, dict) for form in entry} == {
        "one",
        "other",
    }


def test_every_text_is_used():
    names, patterns = used()
    unused = [key for key in ENGLISH if key not in names and not any(re.fullmatch(made, key) for made in patterns)]
    assert [key for key in unused if not key.startswith(("error.", "words."))] == []  # tests of messages check those


def test_every_key_in_use_has_a_text():
    names, patterns = used()
    groups = {key.split(".")[0] for key in ENGLISH}
    assert [name for name in sorted(names) if name.split(".")[0] in groups and name not in ENGLISH] == []
    assert [made for made in sorted(patterns) if not any(re.fullmatch(made, key) for key in ENGLISH)] == []


def test_modules_write_no_words_of_their_own():
    """Words are a label of an element, a sentence, or three words in a row outside of code (Python, CSS, HTML)."""
    for name in modules():
        if name.startswith(("engine/", "strings/", "ui/strings.js")):
            continue
        code = re.sub(r"^\s*//.*$|(?<=[;,{}\])]) // .*$", "", text(name), flags=re.MULTILINE)
        labels = re.findall(r'(?:"aria-label"|title|placeholder|label): (["`][A-Za-z][^"`]* [^"`]*["`])', code)
        sentences = re.findall(r'"[A-Z][a-z]+ [^"\n]*[.?!:]"', code)
        code = re.sub(r'["`](import|from) \w+.*', "", code)  # of the program in Python
        words = re.findall(r'["`>]([A-Za-z]?[a-z]{2,} [a-z]{2,} [a-z]{2,}[^"`<\n]*)["`<]', code)
        assert [*labels, *sentences, *words] == [], name


def test_english_says_what_the_library_says():
    known = catalogue(None)
    python = {"error_reached", "unchanged", "inseparable"}  # the library names its parameters and attributes here
    meanings = {key: ENGLISH[f"ending.{key}.meaning"] for key in MEANING}
    assert {key: text for key, text in meanings.items() if key not in python} == {
        key: text for key, text in MEANING.items() if key not in python
    }
    assert {name: ENGLISH[f"dataset.{name}"] for name in known["datasets"]} == known["datasets"]


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_an_ending_is_shown_in_words_and_not_as_an_identifier(language):
    texts = CATALOGUES[language]
    for key in ENDINGS:
        name, meaning = texts[f"ending.{key}.name"], texts[f"ending.{key}.meaning"]
        assert "max " not in name
        assert not re.search(r"[`_]", name + meaning), key
