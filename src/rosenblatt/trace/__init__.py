"""A recorded run: which example was updated when. It rebuilds any weight vector, forward and back."""

from rosenblatt.trace.dual import DualRecording
from rosenblatt.trace.recording import Recording
from rosenblatt.trace.trace import Trace

__all__ = ["DualRecording", "Recording", "Trace"]
