"""Figures from arrays, histories and traces. Needs matplotlib: pip install 'rosenblatt[plot]'.

Every function returns a `matplotlib.figure.Figure`; colours are Okabe and Ito's, and shapes tell the same, so that
nobody needs to see colours.
"""

from rosenblatt.plot.canvas import to_bytes
from rosenblatt.plot.confusion import confusion
from rosenblatt.plot.margins import margins
from rosenblatt.plot.mistakes import mistakes
from rosenblatt.plot.regions import regions
from rosenblatt.plot.trace import trace

__all__ = ["confusion", "margins", "mistakes", "regions", "to_bytes", "trace"]
