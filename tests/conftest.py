"""Settings and helpers that all tests share."""

import signal
import threading

import hypothesis
import pytest

# A shell without job control starts background programs with Ctrl-C ignored, and their children inherit that: commands
# that the tests interrupt would go on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Reproducible in CI and on every machine; times are never asserted, not that of drawing examples either.
hypothesis.settings.register_profile(
    "repo",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("repo")


@pytest.fixture
def threads_for_little(monkeypatch):
    """Deals problems out to threads however small the data are."""
    monkeypatch.setattr("rosenblatt.learning.run._WORTH_A_THREAD", 0)
