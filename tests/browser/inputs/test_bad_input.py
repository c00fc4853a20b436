"""What a page is given that it cannot show: a sentence each, in the local lab and in the static one."""

import pytest

from tests.browser.conftest import state, wait_for_run


@pytest.fixture(params=["lab", "site"])
def address(request):
    found = request.getfixturevalue(request.param)
    return found if isinstance(found, str) else found.address


def opened(open_page, address):
    page = open_page(address)
    wait_for_run(page)
    return page


def paste(page, text):
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Rows of numbers and a class").fill(text)
    page.get_by_role("button", name="Use it").click()


def test_nan_in_pasted_text_is_refused_with_its_line(open_page, address):
    page = opened(open_page, address)
    before = state(page, "data.points")
    paste(page, "x,y,class\n1,2,a\nNaN,3,b\n4,5,a\n")
    page.locator("dialog .error", has_text="line 3, column 'x': the value is missing").wait_for()
    assert state(page, "data.points") == before


def test_a_million_points_are_refused_with_the_number_that_the_lab_takes(open_page, address, tmp_path):
    page = opened(open_page, address)
    (tmp_path / "many.csv").write_text("1,2,a\n3,4,b\n" * 500_000)
    page.get_by_label("Upload a CSV file").set_input_files(tmp_path / "many.csv")
    notice = page.get_by_role("alert").filter(has_text="many.csv")
    notice.wait_for()
    assert "Take a sample of its rows" in notice.inner_text()


def test_more_rows_than_the_lab_takes_are_counted(open_page, address):
    page = opened(open_page, address)
    page.evaluate("rosenblattLab.actions.loadText('1,2,a\\n3,4,b\\n'.repeat(5001), 'pasted text')")
    page.get_by_role("alert").filter(has_text="10,002 rows; the lab shows at most 10,000").wait_for()


def test_html_in_labels_and_names_is_text(open_page, address):
    page = opened(open_page, address)
    evil = "<img src=x onerror=alert(1)>"
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    paste(page, f'{evil},b,class\n1,2,"{evil}"\n3,5,"</script><b>y"\n')
    page.locator("dialog.paste").wait_for(state="hidden")
    wait_for_run(page)
    page.keyboard.press("m")
    assert state(page, "data.classes") == ["</script><b>y", evil]
    assert page.locator(".panel-step").inner_text().count(evil) + page.locator(".panel-step").inner_text().count("<b>y")
    assert page.locator("#lab img, #lab b b").count() == 0


def test_a_link_that_was_cut_says_so_and_opens_what_it_has(open_page, address):
    page = opened(open_page, address + "#points=0,0,0;1,1,1;3,1,1&classes=no,yes&rule=L0&init=zeros")
    page.wait_for_url("**chars=*")
    whole = page.evaluate("location.hash")
    cut = open_page(address + whole[: whole.index("&classes")])
    cut.get_by_role("alert").filter(has_text="This link was cut").wait_for()
    assert len(state(cut, "data.points")) == 3
    middle = open_page(address + whole[: whole.index(";3,") + 3])
    middle.get_by_text("point 3").first.wait_for()


def test_nonsense_in_an_address_is_refused_in_words(open_page, address):
    page = open_page(address + "#data=../../etc&rule=L9&at=x&columns=a,b&view=magic")
    page.get_by_role("alert").filter(has_text="no built-in data set").wait_for()


def test_without_webassembly_the_static_lab_says_so(static_lab, open_page):
    page = open_page("about:blank")
    page.context.add_init_script("delete globalThis.WebAssembly;")
    page.goto(static_lab)
    # A worker has WebAssembly of its own, so the page must notice by itself.
    page.get_by_role("alert").filter(has_text="no WebAssembly").wait_for()
