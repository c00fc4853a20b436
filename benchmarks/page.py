"""Updates docs/performance-details.md and its charts from a report of `python -m benchmarks`.

    python -m benchmarks.page benchmarks/results/report.json

stores the report as docs/performance.json, writes the tables between the marks of the page, and draws the charts. Of
several reports, later ones replace earlier ones workload by workload, so that one workload can be measured again by
itself. Without a report, the page is written again from the stored one. A test checks that page and report agree.
"""

import re
import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from benchmarks import chart
from benchmarks.__main__ import WORKLOADS
from benchmarks.records import Report, Result
from benchmarks.table import duration, goal, times

DOCS = Path(__file__).parents[1] / "docs"
PAGE, KEPT, IMAGES = DOCS / "performance-details.md", DOCS / "performance.json", DOCS / "images"
MARKS = re.compile(r"(<!-- made: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def main(paths: list[Path]) -> None:
    """Updates the page and its charts."""
    if paths:
        kept = [KEPT] if KEPT.exists() else []
        report = Report.joined([Report.read(path) for path in [*kept, *paths]])
        KEPT.write_text(report.to_json(), encoding="utf-8")
    report = Report.read(KEPT)
    PAGE.write_text(page(report, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    matplotlib.rcParams["svg.fonttype"] = "none"  # keeps text as text: small, searchable, readable by a test
    matplotlib.rcParams["svg.hashsalt"] = "rosenblatt"
    for name, picture in pictures(report).items():
        picture.savefig(IMAGES / name, metadata={"Date": None})


def page(report: Report, text: str) -> str:
    """The page with updated tables."""
    return MARKS.sub(lambda found: found[1] + _part(report, found[2]) + "\n" + found[3], text)


def pictures(report: Report) -> dict[str, Figure]:
    """The charts by file name."""
    growth = [curve for curve in report.curves if curve.workload == "growth"]
    dual = [curve for curve in report.curves if curve.workload == "kernel"]
    return {
        "ratios.svg": chart.ratios(goals(report)),
        "growth.svg": chart.growth(growth),
        "dual_step.svg": chart.growth(dual),
    }


def goals(report: Report) -> list[Result]:
    """The workloads with a goal, in the order of a full run, for the chart and the first table."""
    found = [result for result in report.results if result.goal is not None and result.ratio is not None]
    return sorted(found, key=lambda result: WORKLOADS.index(result.workload))


def _part(report: Report, name: str) -> str:
    if name == "machine":
        return _machine(report)
    if name == "growth":
        return _growth(report)
    return _table(report, goals(report) if name == "goals" else [r for r in report.results if r.workload == name])


def _machine(report: Report) -> str:
    where, with_what = report.machine, report.versions
    named = ", ".join(f"{name} {version}" for name, version in with_what.items() if version[0].isdigit())
    rows = [
        f"Measured on {where['processor']}, {where['usable']} of {where['processors']} processors, "
        f"{where['memory_bytes'] / 2**30:.0f} GiB, load {where['load']:.1f} at the beginning of the newest run and "
        f"{where['load_at_the_end']:.1f} at its end; Python {where['python']}, {named}.",
        "",
        "| roof | memory read, GB/s | scattered rows, GB/s | gathered weights a ns | of scattered rows | "
        "float64, multiply-adds a ns | fused | float32 | fused |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for roof in report.roofs.values():
        rates = (roof.bytes, roof.scattered, roof.gathered, roof.gathered_scattered)
        rates += (roof.float64, roof.fused_float64, roof.float32, roof.fused_float32)
        rows.append(
            f"| {roof.threads} thread{'s' * (roof.threads > 1)} | {' | '.join(f'{r / 1e9:.1f}' for r in rates)} |"
        )
    return "\n".join(rows)


def _table(report: Report, results: list[Result]) -> str:
    if not results:
        return "Not measured yet on a quiet machine."
    rows = ["| workload | data | peer | ours | times as fast (median) | goal | of the roof | agreement | accelerator |"]
    rows.append("|---|---|---|---|---|---|---|---|---|")
    for result in results:
        share = result.share(report.roofs)
        ratio = f"{'> ' if result.peer_stopped else ''}{times(result.ratio)} ({times(result.median_ratio)})"
        cells = (
            chart.name(result),
            result.data,
            result.peer or "",
            duration(min(result.ours)),
            ratio if result.peers else "",
            goal(result, report.roofs),
            "" if share is None else f"{share:.0%}",
            result.agreement,
            result.accelerators,
        )
        rows.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join(rows)


def _growth(report: Report) -> str:
    rows = ["| work | over | from | to | slope | steepest step |", "|---|---|---|---|---|---|"]
    for curve in report.curves:
        first, last = (f"{size:,}" for size in (curve.sizes[0], curve.sizes[-1]))
        rows.append(f"| {curve.case} | {curve.axis} | {first} | {last} | {curve.slope:.2f} | {curve.worst_step:.2f} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
