"""A small table with words and numbers."""

import pytest

from tests.cli.running import PETS


@pytest.fixture
def pets(tmp_path):
    (tmp_path / "pets.csv").write_text(PETS)
    return tmp_path / "pets.csv"
