"""Builds and runs the C++ programs of `tests/core`: unit tests, and the battery of digests."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.programs import program

ROOT = Path(__file__).parents[2]
DIGESTS = ROOT / "tests/core/same_bits/digests.txt"


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs, with all warnings as errors. They need CMake, g++ and doctest (`tools/test_programs`)."""
    cmake = program("cmake")
    program("g++", "clang++")
    folder = tmp_path_factory.mktemp("cpp")
    run(cmake, "-S", str(ROOT), "-B", str(folder), "-DROSENBLATT_MODULE=OFF", "-DROSENBLATT_TESTS=ON")
    run(cmake, "--build", str(folder), "--parallel", "2")
    return folder / "tests" / "core"


@pytest.mark.slow
def test_the_unit_tests_of_the_core_pass(built: Path) -> None:
    run(str(built / "cpp" / "core_tests"))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["baseline", "v3", "v4", "vnni"])
def test_this_machine_computes_the_same_bits_as_every_other(built: Path, level: str) -> None:
    """The digests are those of x86-64, aarch64, s390x and WebAssembly: `tools/same_bits` computes them there."""
    done = run(str(built / "same_bits" / "same_bits"), ROSENBLATT_ISA=level)
    if f"kernels: {level}" not in done.stderr:
        pytest.skip(f"this processor lacks {level}")
    expected = DIGESTS.read_text().splitlines()
    assert [line for line in done.stdout.splitlines() if line not in expected] == []
    assert done.stdout.splitlines() == expected


def test_no_accelerator_changes_the_digest_of_a_run() -> None:
    digests: dict[str, set[str]] = {}
    for line in DIGESTS.read_text().splitlines():
        case, digest = line.rsplit(" ", 1)
        if case.startswith("accelerator/"):
            digests.setdefault(case.rsplit("/", 1)[0], set()).add(digest)
    assert len(digests) == 60
    assert {case for case, found in digests.items() if len(found) > 1} == set()
