"""Each workload that needs neither a cluster nor a large file runs on small data."""

import pytest

from benchmarks import __main__ as command
from benchmarks import roof


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["second_core", "compat", "online", "one_vs_all", "accelerators", "inference", "family"]
)
def test_a_workload_runs_to_its_end_on_small_data(name, tmp_path, monkeypatch):
    monkeypatch.setattr(roof, "measure", lambda counts: {n: roof.by_numpy(n, 2**20, 64) for n in counts})
    report = command.main([name, "--quick", "--folder", str(tmp_path / "data"), "--output", str(tmp_path)])
    assert not report.failed
    assert report.results or report.skipped
