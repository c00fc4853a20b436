"""Draws the overview of performance.md from the table that is there: `python docs/make_performance.py`.

A test holds the two together.
"""

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "performance.md", HERE / "images" / "ratios.svg"
BEGIN, END = "<!-- overview: begin -->", "<!-- overview: end -->"
COLOURS = {"scikit-learn": "#0072B2", "linear program (HiGHS)": "#009E73", "Vowpal Wabbit": "#E69F00"}


def rows() -> list[tuple[str, str, float, float]]:
    """(workload, peer, least, most) of each line of the table."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(BEGIN) : text.index(END)]
    found = []
    for workload, peer, ratio in re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([\d.–]+) \|", table, flags=re.MULTILINE):
        least, _, most = ratio.partition("–")
        found.append((workload, peer, float(least), float(most or least)))
    return found


def chart() -> Figure:
    """One bar a workload, from 1 to the ratio; the thin end is the range."""
    lines = rows()
    figure = Figure(figsize=(9, 0.34 * len(lines) + 1.2), layout="constrained")
    axes = figure.subplots()
    for place, (_, peer, least, most) in enumerate(reversed(lines)):
        axes.barh(place, least - 1, left=1, color=COLOURS[peer], height=0.62)
        axes.plot([least, most], [place, place], color="black", linewidth=1.2)
        label = f"{least:g}" if least == most else f"{least:g}–{most:g}"
        axes.annotate(label, (most, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_xscale("log")
    axes.set(xlim=(0.9, 1000), xlabel="times as fast as the peer, measured in the same run")
    axes.set_xticks([1, 2, 5, 10, 100, 1000], ["1", "2", "5", "10", "100", "1000"])
    axes.set_yticks(range(len(lines)), [workload for workload, *_ in reversed(lines)], fontsize=9)
    for peer in dict.fromkeys(peer for _, peer, *_ in lines):
        axes.barh(0, 0, color=COLOURS[peer], label=peer)
    axes.legend(frameon=False, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text: small, searchable, and a test can read it
    matplotlib.rcParams["svg.hashsalt"] = "rosenblatt"
    chart().savefig(PICTURE, metadata={"Date": None})
