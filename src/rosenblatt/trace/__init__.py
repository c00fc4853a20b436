"""A recorded run: the example and time of every update, from which the weights at any step are rebuilt."""

from rosenblatt.trace.dual_recording import DualRecording
from rosenblatt.trace.recording import Recording
from rosenblatt.trace.step_table import step_table
from rosenblatt.trace.trace import Trace

__all__ = ["DualRecording", "Recording", "Trace", "step_table"]
