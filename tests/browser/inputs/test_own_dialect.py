"""The lab opens with a lecturer's own dialect, shown by its name and its words."""

from tests.browser.conftest import wait_for_run
from tests.lab.servers import Lab


def test_the_lab_opens_with_the_dialect_of_a_file(chromium, tmp_path):
    file = tmp_path / "cs101.toml"
    file.write_text('name = "CS101"\ntie = "positive"\neta0 = 3\n')
    with Lab("@and", "--convention", str(file)) as lab:
        page = chromium.new_page()
        page.goto(lab.address)
        wait_for_run(page)
        panel = page.locator(".panel-rule")
        assert panel.locator('[data-key="convention"]').input_value() == "CS101"
        assert panel.locator('[data-key="eta0"]').input_value() == "3"
        assert "zero counts as +1, start at 0, in turn, step 3" in panel.inner_text()
        page.keyboard.press("End")
        assert "11 mistakes" in page.locator(".where").inner_text()
        page.close()
