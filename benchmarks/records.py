"""Results of the benchmarks as plain records that can be written to JSON and read back."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Roof:
    """The maximum rates of the machine, per second.

    Bytes read from memory in order, and in whole cache lines of scattered rows; products of such rows with weights that
    are gathered by index; multiply-adds in registers, by type of number.
    """

    threads: int
    bytes: float
    scattered: float
    gathered: float
    gathered_scattered: float
    float64: float
    float32: float
    fused_float64: float
    fused_float32: float
    how: str


@dataclass(frozen=True)
class Needs:
    """The minimum work of the plain algorithm, in the units of the roof.

    An accelerator may need less: its share of the roof can exceed one.
    """

    bytes: float = 0.0
    scattered: float = 0.0
    gathered: float = 0.0
    gathered_scattered: float = 0.0
    multiply_adds: float = 0.0
    number: str = "float64"

    def seconds(self, roof: Roof) -> float:
        """The minimum time on this machine."""
        return max(
            self.bytes / roof.bytes,
            self.scattered / roof.scattered,
            self.gathered / roof.gathered,
            self.gathered_scattered / roof.gathered_scattered,
            self.multiply_adds / float(getattr(roof, self.number)),
        )


@dataclass(frozen=True)
class Result:
    """One workload: the seconds of every repeat, ours and a peer's, and its description."""

    workload: str
    case: str
    data: str  # the name of a real dataset, or "synthetic"
    ours: tuple[float, ...]
    peer: str | None = None
    peers: tuple[float, ...] = ()
    threads: int = 1
    goal: float | None = None
    goal_of: str = "ratio"  # or "share", of the roof
    agreement: str = ""  # what was checked to be equal before timing
    needs: Needs | None = None
    scale: float = 1.0  # the peer was given 1/scale of the work
    peer_stopped: bool = False  # stopped at a time limit: the ratio is a lower bound
    accelerators: str = ""  # of our fit, as `accelerators_` tells; empty if it is no fit of the online family
    notes: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer, by the best of each."""
        return self.scale * min(self.peers) / min(self.ours) if self.peers else None

    @property
    def median_ratio(self) -> float | None:
        return self.scale * median(self.peers) / median(self.ours) if self.peers else None

    def share(self, roofs: dict[int, Roof]) -> float | None:
        """The share of the machine's roof with the same number of threads, for the best repeat."""
        if self.needs is None or self.threads not in roofs:
            return None
        return self.needs.seconds(roofs[self.threads]) / min(self.ours)

    def reached(self, roofs: dict[int, Roof]) -> bool | None:
        found = self.ratio if self.goal_of == "ratio" else self.share(roofs)
        return None if self.goal is None or found is None else found >= self.goal


@dataclass(frozen=True)
class Curve:
    """The cost of a workload as a function of one size: the seconds of every repeat, by size."""

    workload: str
    case: str
    axis: str
    sizes: tuple[float, ...]
    seconds: tuple[tuple[float, ...], ...]
    unit: str = "s"

    @property
    def best(self) -> list[float]:
        return [min(repeats) for repeats in self.seconds]

    @property
    def slope(self) -> float:
        """The exponent of the power of the size that fits best (least squares of the logarithms)."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.best), 1)[0])

    @property
    def worst_step(self) -> float:
        """The largest exponent between two sizes next to each other."""
        return float(np.max(np.diff(np.log(self.best)) / np.diff(np.log(self.sizes))))


@dataclass
class Report:
    """A full report: machine, versions and results."""

    machine: dict[str, Any]
    versions: dict[str, str]
    roofs: dict[int, Roof]
    options: dict[str, Any] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        found = dataclasses.asdict(self)
        for result, plain in zip(self.results, found["results"], strict=True):
            plain |= {"ratio": result.ratio, "median_ratio": result.median_ratio, "share": result.share(self.roofs)}
        for curve, plain in zip(self.curves, found["curves"], strict=True):
            plain |= {"slope": curve.slope, "worst_step": curve.worst_step}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> "Report":
        found = json.loads(path.read_text(encoding="utf-8"))
        report = cls(
            found["machine"], found["versions"], {}, found["options"], skipped=found["skipped"], failed=found["failed"]
        )
        report.roofs = {int(threads): _made(Roof, roof) for threads, roof in found["roofs"].items()}
        report.results = [_made(Result, result) for result in found["results"]]
        report.curves = [_made(Curve, curve) for curve in found["curves"]]
        return report

    @property
    def done(self) -> set[str]:
        """The workloads that finished."""
        return {*self.options["workloads"]} - {*self.skipped} - {*self.failed}

    @classmethod
    def joined(cls, reports: Sequence["Report"]) -> "Report":
        """Merges reports of one machine: the newest result of each workload, with the highest measured roof."""
        if any(report.options["quick"] for report in reports):
            raise ValueError("the figures of a quick run mean nothing; run the workloads without --quick")
        newest: dict[str, Report] = {name: report for report in reports for name in report.done}
        last = reports[-1]
        whole = cls(last.machine, last.versions, {}, {**last.options, "workloads": sorted(newest)})
        counted = [report for report in reports if any(report is used for used in newest.values())]
        for threads in sorted({threads for report in counted for threads in report.roofs}):
            seen = [report.roofs[threads] for report in counted if threads in report.roofs]
            rates = [entry.name for entry in dataclasses.fields(Roof) if entry.type is float]
            highest = {name: max(getattr(roof, name) for roof in seen) for name in rates}
            whole.roofs[threads] = dataclasses.replace(seen[-1], **highest)
        for report in counted:
            whole.results += [result for result in report.results if newest.get(result.workload) is report]
            whole.curves += [curve for curve in report.curves if newest.get(curve.workload) is report]
        return whole


def _made(kind: type, found: dict[str, Any]) -> Any:
    """Reads a record; derived values (ratios, slopes) are computed again."""
    names = {entry.name for entry in dataclasses.fields(kind)}
    given = {name: _frozen(value) for name, value in found.items() if name in names}
    if isinstance(given.get("needs"), dict):
        given["needs"] = Needs(**given["needs"])
    return kind(**given)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(entry) for entry in value) if isinstance(value, list) else value
