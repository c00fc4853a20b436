"""Builds and runs the C++ unit tests in `tests/core/cpp`, with all warnings as errors."""

import subprocess
from pathlib import Path

import pytest

from tests.programs import program

ROOT = Path(__file__).parents[2]


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"


@pytest.mark.slow
def test_the_unit_tests_of_the_core_pass(tmp_path: Path) -> None:
    """They need CMake, g++ and doctest: `tools/test_programs` installs what is missing."""
    cmake = program("cmake")
    program("g++", "clang++")
    run(cmake, "-S", str(ROOT), "-B", str(tmp_path), "-DROSENBLATT_MODULE=OFF", "-DROSENBLATT_TESTS=ON")
    run(cmake, "--build", str(tmp_path), "--parallel", "2")
    run(str(tmp_path / "tests" / "core" / "cpp" / "core_tests"))
