"""Charts of a report: ratios as bars with their goals, growth as lines with their slopes."""

import numpy as np
from matplotlib.figure import Figure

from benchmarks.records import Curve, Report, Result
from benchmarks.table import times

# Colour by a substring of the peer's name; the first match counts.
_FAMILIES = {
    "Vowpal Wabbit": ("Vowpal Wabbit", "#E69F00"),
    "River": ("River", "#CC79A7"),
    "linear program": ("linear program", "#009E73"),
    "scikit-learn": ("scikit-learn", "#0072B2"),
    "SVC": ("scikit-learn", "#0072B2"),
    "SGDClassifier": ("scikit-learn", "#0072B2"),
}
_OTHER = ("ourselves otherwise, or a plain loop", "#7F7F7F")
_GOAL = "#D55E00"


def ratios(results: list[Result]) -> Figure:
    """One bar per result, from 1 to the ratio of the best times; a line to that of the medians, a mark at the goal."""
    figure = Figure(figsize=(11, 0.27 * len(results) + 1.4), layout="constrained")
    axes = figure.subplots()
    largest = 10.0
    for place, result in enumerate(reversed(results)):
        assert result.ratio is not None
        assert result.median_ratio is not None
        axes.barh(place, result.ratio - 1, left=1, color=_family(result.peer)[1], height=0.62)
        axes.plot([result.ratio, result.median_ratio], [place, place], color="black", linewidth=1.2)
        if result.goal is not None and result.goal_of == "ratio":
            axes.plot([result.goal] * 2, [place - 0.4, place + 0.4], color=_GOAL, linewidth=2)
        label = f"{'> ' if result.peer_stopped else ''}{times(result.ratio)}"
        axes.text(1.01, place, label, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
        largest = max(largest, result.ratio)
    axes.set_yticks(range(len(results)), [name(result) for result in reversed(results)], fontsize=8)
    ticks = [tick for tick in (0.5, 1, 2, 3, 5, 10, 20, 50, 100, 1000) if tick < 2 * largest]
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set(xlim=(0.4, 2 * largest), ylim=(-0.7, len(results) - 0.3))
    axes.set_xlabel("times as fast as the peer, in the same run")
    axes.axvline(1, color="black", linewidth=0.8)
    for label, colour in dict.fromkeys(_family(result.peer) for result in results):
        axes.barh(0, 0, color=colour, label=label)
    axes.plot([], [], color=_GOAL, linewidth=2, label="goal")
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=6, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def name(result: Result) -> str:
    """The label of a result on the axis."""
    return result.case + (f", {result.threads} threads" if result.threads > 1 else "")


def shown(report: Report) -> list[Result]:
    """The results with a peer whose ratio fits on the common axis."""
    return [result for result in report.results if result.ratio is not None and 0.1 < result.ratio < 1e4]


def growth(curves: list[Curve]) -> Figure:
    """One panel per curve: the measurements, the fitted power law, and proportional growth for comparison."""
    across = min(3, len(curves))
    down = -(-len(curves) // across)
    figure = Figure(figsize=(4 * across, 3.2 * down), layout="constrained")
    for axes, curve in zip(np.ravel(figure.subplots(down, across, squeeze=False)), curves, strict=False):
        sizes, best = np.array(curve.sizes), np.array(curve.best)
        middle = np.exp(np.mean(np.log(best)) + curve.slope * (np.log(sizes) - np.mean(np.log(sizes))))
        axes.loglog(sizes, best, "o", color="#0072B2", label="measured")
        axes.loglog(sizes, middle, "-", color="#0072B2", label=f"slope {curve.slope:.2f}")
        axes.loglog(sizes, best[0] * sizes / sizes[0], "--", color=_OTHER[1], label="in proportion")
        axes.set(xlabel=curve.axis, ylabel="seconds")
        axes.set_title(curve.case, fontsize=9)
        axes.set_xticks(sizes, [_short(size) for size in curve.sizes], fontsize=8)
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in figure.axes[len(curves) :]:
        axes.set_visible(False)
    return figure


def _short(size: float) -> str:
    return f"{size / 1e6:.3g}M" if size >= 1e6 else f"{size / 1e3:.3g}k" if size >= 1e4 else f"{size:g}"


def _family(peer: str | None) -> tuple[str, str]:
    return next((family for word, family in _FAMILIES.items() if peer and word in peer), _OTHER)
