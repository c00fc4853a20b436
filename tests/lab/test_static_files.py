"""The files of the static lab that are made ahead: the WebAssembly module and the table of Boolean functions."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from rosenblatt.boolean import BooleanFunction
from rosenblatt.lab.page.assets import STATIC
from tests.programs import program

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_committed_engine_is_what_its_sources_compile_to(tmp_path):
    program("em++")
    made = tmp_path / "engine.wasm"
    subprocess.run([ROOT / "tools" / "wasm", made], check=True, capture_output=True, timeout=900)
    committed = STATIC / "engine" / "engine.wasm"
    assert made.read_bytes() == committed.read_bytes(), "the core has changed: run tools/wasm and commit engine.wasm"


def test_the_table_of_boolean_functions_is_the_librarys():
    classes = json.loads((STATIC / "engine" / "boolean" / "classes.json").read_text())
    assert [sum(len(bits) == 1 << n for bits in classes) for n in (1, 2, 3, 4)] == [2, 4, 14, 222]
    for bits in random.Random(1).sample(sorted(classes), 6):
        function, stored = BooleanFunction.from_table(bits), classes[bits]
        assert (stored["unit"] is not None) == function.is_threshold
        network = function.network()
        assert len(stored["hidden"]) == network.n_hidden
        assert stored["fewest"] == network.fewest
