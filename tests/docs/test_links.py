"""Links between the pages lead somewhere, on the site and where the files are read as they are."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.pages import DOCS, ROOT, name_of, pages

READ = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *pages()]
#: An sdist has neither the automation nor the screenshots of the lab.
IN_SDIST = not (ROOT / ".github").exists()
_CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]*`", flags=re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")
#: Pages that a build makes have no file; what they are made from has.
_MADE = {"examples/index": "gallery/GALLERY_HEADER.rst", "api/index": "api/index.rst"}


def links(page: Path) -> list[str]:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    found = [inline or image for inline, image in _LINK.findall(text)]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as sites that show Markdown make them."""
    text = _CODE.sub(
        lambda found: found[0].strip("`") if "\n" not in found[0] else "", page.read_text(encoding="utf-8")
    )
    headings = re.findall(r"^#+ +(.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def target_of(page: Path, path: str) -> Path:
    """The file behind a link; for a page of the gallery its program."""
    place = (page.parent / unquote(path)).resolve() if path else page
    if place.is_relative_to(DOCS):
        inside = place.relative_to(DOCS).as_posix()
        if inside in _MADE:
            return DOCS / _MADE[inside]
        if inside.startswith("examples/plot_"):
            return DOCS / "gallery" / f"{place.name}.py"
    return place


@pytest.mark.parametrize("page", READ, ids=name_of)
def test_every_link_inside_the_project_leads_somewhere(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        place = target_of(page, path)
        if place.match("docs/images/lab-*.png") and IN_SDIST:
            continue
        assert place.exists(), f"{link}: there is no {place}"
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place), f"{link}: {place.name} has no such heading"


def test_links_are_found():
    assert "lectures/index.md" in links(DOCS / "getting-started.md")
    assert "if-not-separable-how-few-errors" in anchors(DOCS / "separability.md")


@pytest.mark.parametrize("page", [DOCS / "changes.md", DOCS / "contributing.md"], ids=name_of)
def test_a_page_that_includes_one_of_the_top_folder_translates_its_links(page):
    """Sphinx resolves the links of an included page from the folder of the page that includes it."""
    assert "{include} ../" in page.read_text(encoding="utf-8")
    assert ":relative-docs: docs/" in page.read_text(encoding="utf-8")
