"""The table of results, one row per result."""

from statistics import median

from benchmarks.records import Curve, Result, Roof

_HEAD = ("ours", "median", "peer", "median", "ratio", "median", "goal", "roof")


def head() -> str:
    """The header."""
    numbers = " ".join(f"{name:>9}" for name in _HEAD)
    return f"{'workload':<70} {'peer':<31} {'thr':>3} {numbers}  agreement; data; accelerator and its epochs"


def line(result: Result, roofs: dict[int, Roof]) -> str:
    """A row: the best and the median of the repeats, and the share of the roof."""
    share = result.share(roofs)
    more = ">" if result.peer_stopped else ""
    cells = (
        duration(min(result.ours)),
        duration(median(result.ours)),
        duration(result.scale * min(result.peers)) if result.peers else "",
        duration(result.scale * median(result.peers)) if result.peers else "",
        more + times(result.ratio),
        more + times(result.median_ratio),
        goal(result, roofs),
        "" if share is None else f"{share:.0%}",
    )
    ran = f"accelerator: {result.accelerators}" if result.accelerators else ""
    details = "; ".join(filter(None, (result.agreement, result.data, ran)))
    found = f"{result.case:<70} {result.peer or '':<31} {result.threads:>3} " + " ".join(f"{cell:>9}" for cell in cells)
    return "\n".join([f"{found}  {details}", *(f"    {note}" for note in result.notes)])


def curve_line(curve: Curve) -> str:
    """A row of a growth curve: its exponent and the measurements."""
    points = ", ".join(f"{size:,}: {duration(best)}" for size, best in zip(curve.sizes, curve.best, strict=True))
    return f"{curve.case}, over {curve.axis}: slope {curve.slope:.2f}, steepest {curve.worst_step:.2f}  ({points})"


def roof_lines(roofs: dict[int, Roof]) -> list[str]:
    return [
        f"roof, {roof.threads} thread{'s' if roof.threads > 1 else ''}: reads {roof.bytes / 1e9:.1f} GB/s, "
        f"scattered rows {roof.scattered / 1e9:.1f}; a nanosecond: {roof.gathered / 1e9:.2f} products with gathered "
        f"weights, {roof.gathered_scattered / 1e9:.2f} of scattered rows, multiply-adds of float64 "
        f"{roof.float64 / 1e9:.1f} (fused {roof.fused_float64 / 1e9:.1f}), of float32 "
        f"{roof.float32 / 1e9:.1f} (fused {roof.fused_float32 / 1e9:.1f}); {roof.how}"
        for roof in roofs.values()
    ]


def goal(result: Result, roofs: dict[int, Roof]) -> str:
    """The goal, with a mark if it is reached."""
    if result.goal is None:
        return ""
    text = f"{result.goal:g}" if result.goal_of == "ratio" else f"{result.goal:.0%}"
    return f"{text} {'✓' if result.reached(roofs) else '✗'}"


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1e5 else f"{seconds:.0e} s"
    return f"{1e9 * seconds:.3g} ns"


def times(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return (
        f"{ratio:.2f}"
        if ratio < 10
        else f"{ratio:.1f}"
        if ratio < 100
        else f"{ratio:,.0f}"
        if ratio < 1e6
        else f"{ratio:.0e}"
    )
