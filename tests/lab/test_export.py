"""All modules of the page as one script, and a run as one file."""

import json
import re

import pytest

from rosenblatt.lab.page import bundle as bundling
from rosenblatt.lab.page.assets import assets, text
from rosenblatt.lab.page.bundle import BundleError, bundle
from rosenblatt.lab.page.replay_file import PLACE, replay_page, shell


def modules():
    return [name for name in assets() if name.endswith(".js")]


@pytest.mark.parametrize("name", [name for name in modules() if name != "main.js"])
def test_every_module_keeps_to_the_form_that_the_bundle_knows(name):
    made = bundle(name)
    assert not re.search(r"^\s*(import|export)\b", made, re.MULTILINE)


@pytest.mark.parametrize("name", modules())
def test_every_import_is_of_something_that_is_exported(name):
    for names, path in re.findall(r'^import \{([^}]*)\} from "(\.[^"]+)";$', text(name), re.MULTILINE):
        source = text(bundling._resolved(name, path))
        for imported in (part.split(" as ")[0].strip() for part in names.split(",")):
            assert re.search(rf"^export (async )?(function|class|const) {imported}\b", source, re.MULTILINE), imported


@pytest.mark.parametrize("name", modules())
def test_no_module_is_too_long_to_read_in_one_sitting(name):
    assert text(name).count("\n") <= 330


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.js": 'import x from "./b.js";\n', "b.js": ""}, "not a form"),
        ({"a.js": "export default 3;\n"}, "not a form"),
        ({"a.js": 'import { x } from "./b.js";\n'}, "does not exist"),
        ({"a.js": 'import { x } from "./b.js";\n', "b.js": 'import { y } from "./a.js";\n'}, "circle"),
    ],
)
def test_a_module_of_another_form_is_refused(monkeypatch, files, words):
    monkeypatch.setattr(bundling, "assets", lambda: files)
    monkeypatch.setattr(bundling, "text", files.__getitem__)
    with pytest.raises(BundleError, match=words):
        bundle("a.js")


def test_the_shell_has_one_place_for_data_and_asks_no_host():
    assert shell().count(PLACE) == 1
    assert "default-src 'none'" in shell()
    assert set(re.findall(r"https?://[^\"'\s]+", shell())) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", shell())


def test_recorded_text_cannot_end_the_script_it_stands_in():
    page = replay_page({"data": {"classes": ["</script><script>alert(1)</script>"]}})
    found = re.search(r'id="lab-data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(found)["data"]["classes"] == ["</script><script>alert(1)</script>"]


def test_the_page_and_its_files_are_small():
    served = [content for name, (_, content) in assets().items() if not name.startswith("engine/")]
    assert sum(map(len, served)) < 420_000
