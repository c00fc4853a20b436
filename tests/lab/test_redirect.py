"""The token stays with its owner: a browser is started with the name of a private file that leads to the lab."""

import json
import signal
import stat
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.lab.servers import PATIENCE, Lab

BROWSER = """\
import json, sys
with open({place!r} + ".part", "w") as out:
    json.dump(sys.argv, out)
import os
os.replace({place!r} + ".part", {place!r})
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_browser_is_started_without_the_token_by_a_file_of_the_users_own(tmp_path, ending):
    place, script = tmp_path / "started.json", tmp_path / "browser.py"
    script.write_text(BROWSER.format(place=str(place)))
    with Lab(browser=True, env={"BROWSER": f"{sys.executable} {script} %s"}) as lab:
        deadline = time.monotonic() + PATIENCE
        while not place.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        arguments = json.loads(place.read_text())
        assert lab.token not in " ".join(arguments)
        page = Path(url2pathname(urlsplit(arguments[-1]).path))
        assert lab.address in page.read_text()
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
        lab.stop(ending)
        assert not page.parent.exists()
