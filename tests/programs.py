"""Programs that tests need and no Python package brings; `tools/test_programs` installs them."""

import shutil

import pytest


def program(*names: str) -> str:
    """The path of the first of these programs that is installed; a test without any fails, it is not skipped."""
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        pytest.fail(f"this test needs {' or '.join(names)}: run tools/test_programs", pytrace=False)
    return found
