"""Data from elsewhere: built-in sets, files, pasted text, and what happens when these are broken."""

import pytest

from tests.browser.conftest import state, wait_for_run, weights
from tests.lab.servers import Lab


def test_a_csv_file_can_be_uploaded(page, tmp_path):
    (tmp_path / "mine.csv").write_text("width,height,kind\n1,1,small\n2,1,small\n5,6,large\n7,5,large\n")
    page.get_by_label("Upload a CSV file").set_input_files(tmp_path / "mine.csv")
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    wait_for_run(page)
    assert state(page, "data.classes") == ["large", "small"]
    page.keyboard.press("End")
    assert "separated" in page.locator(".caption").first.inner_text()


def test_a_broken_csv_file_is_refused_with_its_line_and_what_was_there_stays(page, tmp_path):
    (tmp_path / "broken.csv").write_text("x1,x2,class\n1,2,a\n3,oops,b\n5,6,a\n")
    page.get_by_label("Upload a CSV file").set_input_files(tmp_path / "broken.csv")
    notice = page.get_by_role("alert").filter(has_text="broken.csv")
    notice.wait_for()
    assert "line 3" in notice.inner_text()
    assert len(state(page, "data.points")) == 2
    page.keyboard.press("End")
    assert weights(page) == [-6, 7, -2]


def test_text_can_be_pasted_and_its_mistakes_corrected(page):
    page.get_by_role("button", name="Paste…").click()
    area = page.get_by_label("Rows of numbers and a class")
    area.fill("x,y,class\n0,0,a\n1\n")
    page.get_by_role("button", name="Use it").click()
    problem = page.locator("dialog .error", has_text="line 3")
    problem.wait_for()
    area.fill("0,0,a\n1,1,b\n2,0,c\n")
    page.get_by_role("button", name="Use it").click()
    page.locator("dialog.paste").wait_for(state="hidden")
    wait_for_run(page)
    assert state(page, "data.classes") == ["a", "b", "c"]


def test_two_columns_of_a_wider_set_can_be_chosen(page):
    page.get_by_label("Data set").select_option("iris")
    page.get_by_label("Across").wait_for()
    wait_for_run(page)
    assert state(page, "data.columns") == ["petal length", "petal width"]
    page.get_by_label("Up", exact=True).select_option(label="sepal width")
    wait_for_run(page)
    assert state(page, "data.columns") == ["petal length", "sepal width"]
    assert state(page, "data.points")[0] == {"x": 1.4, "y": 3.5, "c": 0, "v": [5.1, 3.5, 1.4, 0.2]}


def test_xor_cycles_and_says_so(page):
    page.get_by_label("Data set").select_option("xor")
    page.locator(".panel-data .summary", has_text="4 points").wait_for()
    wait_for_run(page)
    page.keyboard.press("End")
    assert "cycled, period" in page.locator(".caption").first.inner_text()


@pytest.mark.slow
def test_a_file_given_on_the_command_line_is_what_the_lab_opens_with(tmp_path, open_page):
    (tmp_path / "mine.csv").write_text("a,b,kind\n1,1,x\n2,1,x\n5,6,y\n")
    lab = Lab(str(tmp_path / "mine.csv"))
    try:
        page = open_page(lab.address)
        wait_for_run(page)
        assert state(page, "data.columns") == ["a", "b"]
        assert len(state(page, "data.points")) == 3
    finally:
        lab.stop()


#: Tables as people have them: quotes, decimal commas, groups of digits, signs, gaps, dates, repeated or empty names.
MESSY = [
    '\ufeff"Größe (cm)"; Gewicht, kg ;"Art; Sorte" ; Farbe\n1,5;2,0;a;rot\n1,7;2,2;a;blau\n\n3,5;4,1;b;rot\n',
    "Breite;Höhe;Klasse\n1,5;2,0;a\n3,5;4,1;b\n2,0;1;a\n",
    "x,y,class\n1,2,\n3,4,b\n5,6,a\n",
    "x,x,class\n1,2,a\n3,4,b\n",
    "x,flag,class\n1,yes,a\n3,no,b\n2,yes,a\n",
    "x,p,class\n1,5%,a\n2,10%,b\n",
    'x,p,class\n1,"$1,000",a\n2,$20,b\n',
    'x,y,class\n"1,000",2,a\n"2,500",3,b\n',
    "x,y,kind\n1,2,red\n3,4,green\n5,1,blue\n",
    "label,x,y\nred,1,2\ngreen,3,4\n",
    "x,,class\n1,2,a\n3,4,b\n",
    "x,y,class,\n1,2,a,\n3,4,b,\n",
    "x,day,class\n1,2020-01-01,a\n3,2020-02-01,b\n",
    "x,zip,class\n1,01067,a\n3,80331,b\n2,01067,b\n",
    "x,crp,class\n1,<0.5,a\n3,20.5,b\n2,>= 100,b\n",
    "Tag;Uhrzeit;Preis;Art\n01.02.2024;9:30;1.234,50 €;alt\n15.02.2024;17:05;999,00 €;neu\n",
    "x,y,class\n1,2,a\n3,4\n",
]
READ = """async (text) => {
    const { actions, store } = rosenblattLab;
    const read = await actions.loadText(text, "mine.csv");
    const { data, notice } = store.state;
    return read ? [data.allColumns, data.classes, data.points.map(({ v, x, y, c }) => [v ?? [x, y], c])] : notice.text;
}"""


def test_the_page_without_a_server_reads_messy_tables_as_the_library_does(lab, site, open_page):
    pages = [open_page(lab.address), open_page(site)]
    for page in pages:
        wait_for_run(page)
    for text in MESSY[:-1]:
        local, static = (page.evaluate(READ, text) for page in pages)
        assert static == local, text
        assert isinstance(local, list), text
    assert all("line 3: 2 columns" in page.evaluate(READ, MESSY[-1]) for page in pages)
