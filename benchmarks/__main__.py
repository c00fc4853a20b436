"""Runs all workloads, or only the named ones: `python -m benchmarks`, `python -m benchmarks online kernel`.

Prints a table, and writes report.json (the machine, the versions, every repeat), ratios.svg and growth.svg.
`python -m benchmarks fetch` downloads the real data first; without it, synthetic sets of the same shape are used.
`python -m benchmarks accuracy` compares accuracies on real tables and texts; `accuracy iris wine` only on some sets.
"""

import argparse
import importlib
import os
import sys
import time
import traceback
import warnings
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import chart, fetch, machine, roof, table
from benchmarks.records import Curve, Report
from benchmarks.run import Run, Skip

# Modules of `workloads/`, each with a function `measure(run)`; those with goals come first.
WORKLOADS = (
    "one_vs_all",
    "online",
    "second_core",
    "accelerators",
    "small",
    "spam",
    "file_to_model",
    "kernel",
    "inference",
    "growth",
    "family",
    "compat",
    "stall",
    "separability",
    "text",
    "learn_one",
    "boolean",
    "distributed",
    "streaming",
    "lab_page",
)
# Workloads of about 15 minutes, because their peers run up to a limit of a minute each. They are measured if they are
# named, or with --large.
SLOW = ("separability",)
HERE = Path(__file__).parent / "results"


def main(arguments: list[str] | None = None) -> Report | None:
    """Runs the workloads that the arguments name."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"fetch, accuracy, or any of: {', '.join(WORKLOADS)}")
    parser.add_argument("--quick", action="store_true", help="small data, one repeat: a functional test")
    parser.add_argument("--large", action="store_true", help="also files of 0.9 and 2 GB, all of MNIST, separability")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of every method (3); fewer if they take 8 s")
    parser.add_argument("--folder", type=Path, default=HERE / "data", help="for downloaded and generated files")
    parser.add_argument("--output", type=Path, default=HERE, help="for report.json and the charts")
    parser.add_argument("--ways", default="", help="accuracy: contestants to measure again, separated by commas")
    parser.add_argument("--splits", type=int, default=5, help="accuracy: measure only the first splits of each set")
    options = parser.parse_args(arguments)
    if options.names == ["fetch"]:
        fetch.fetch(options.folder)
        return None
    if options.names[:1] == ["accuracy"]:
        from benchmarks.accuracy import command

        ways = tuple(filter(None, options.ways.split(",")))
        names = tuple(options.names[1:])
        command.main(options.folder, options.output, names, ways, splits=options.splits, quick=options.quick)
        return None
    unknown = [name for name in options.names if name not in WORKLOADS]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(WORKLOADS)}, and fetch or accuracy alone")
    run = Run(options.folder, options.quick, options.large, options.repeats, machine.usable_threads())
    report = measured(run, options.names or workloads(options.large))
    write(report, options.output)
    return report


def workloads(large: bool) -> list[str]:
    """The workloads of a whole run, which takes less than 20 minutes unless it is large."""
    return [name for name in WORKLOADS if large or name not in SLOW]


def measured(run: Run, names: list[str]) -> Report:
    """Runs the workloads and prints each result when it is available."""
    begin = time.perf_counter()
    run.folder.mkdir(parents=True, exist_ok=True)
    counts = tuple(count for count in (1, 2) if count <= run.threads)
    report = Report(machine.machine(), machine.versions(), roof.measure(counts))
    report.options = {"quick": run.quick, "large": run.large, "repeats": run.repeats, "workloads": names}
    if run.quick:
        print("quick: a functional test; its figures mean nothing")
    print(*table.roof_lines(report.roofs), "", table.head(), sep="\n", flush=True)
    for name in names:
        began = time.perf_counter()
        try:
            with warnings.catch_warnings(), threadpool_limits(1):  # BLAS uses one thread unless a workload changes it
                warnings.simplefilter("ignore")  # a run of ten epochs has not converged
                for found in importlib.import_module(f"benchmarks.workloads.{name}").measure(run):
                    if isinstance(found, Curve):
                        report.curves.append(found)
                        print(table.curve_line(found), flush=True)
                    else:
                        report.results.append(found)
                        print(table.line(found, report.roofs), flush=True)
        except Skip as reason:
            report.skipped[name] = str(reason)
            print(f"{name}: left out: {reason}", flush=True)
        except Exception as error:  # the other workloads still run; the exit code is an error
            report.failed[name] = f"{type(error).__name__}: {error}"
            traceback.print_exc()
        print(f"-- {name}: {time.perf_counter() - began:.0f} s", flush=True)
    report.machine["load_at_the_end"] = os.getloadavg()[0]
    report.machine["minutes"] = (time.perf_counter() - begin) / 60
    return report


def write(report: Report, folder: Path) -> None:
    """Writes the report and its charts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(report.to_json(), encoding="utf-8")
    if chart.shown(report):
        chart.ratios(chart.shown(report)).savefig(folder / "ratios.svg")
    if report.curves:
        chart.growth(report.curves).savefig(folder / "growth.svg")
    print(f"{folder}: report.json" + ", ratios.svg" * bool(chart.shown(report)) + ", growth.svg" * bool(report.curves))


if __name__ == "__main__":  # worker processes also import this file
    found = main()
    sys.exit(f"failed: {', '.join(found.failed)}" if found is not None and found.failed else 0)
