"""Figures from arrays, histories and traces. Needs matplotlib: pip install 'rosenblatt[plot]'.

Every function returns a `matplotlib.figure.Figure`. Colours are those of Okabe and Ito. Every class also has its own
marker or hatching, so the figures can be read without colours.
"""

from rosenblatt.plot.canvas import to_bytes
from rosenblatt.plot.confusion import confusion
from rosenblatt.plot.margins import margins
from rosenblatt.plot.mistakes import mistakes
from rosenblatt.plot.regions import regions
from rosenblatt.plot.trace_figure import trace

__all__ = ["confusion", "margins", "mistakes", "regions", "to_bytes", "trace"]
