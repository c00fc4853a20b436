"""Long calls end at their limits with an honest answer, stop soon after Ctrl-C, and show progress in a terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import random as random_sparse

import rosenblatt
from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron, compat, meter, textbook, theory
from rosenblatt.boolean import BooleanFunction, count_threshold_functions, lesson
from rosenblatt.learning.progress import ProgressLine
from rosenblatt.meter import Meter
from tests.family import FAMILY

LIMITS = ("max_iter", "max_steps", "max_updates")

#: Programs that would run for minutes. Each sets up its data, says so, and begins.
LONG_CALLS = {
    "Perceptron.fit": """
        X, y = rng.normal(size=(100_000, 40)), rng.integers(0, 2, 100_000)
        begin(); Perceptron(max_iter=10**6).fit(X, y)""",
    "Perceptron.fit of sparse rows on two threads": """
        X, y = scipy.sparse.random(50_000, 1000, 0.02, "csr", rng=0), rng.integers(0, 5, 50_000)
        begin(); Perceptron(max_iter=10**6, n_jobs=2).fit(X, y)""",
    "Perceptron.fit of many pairs of classes": """
        X, y = rng.normal(size=(20_000, 4)), rng.integers(0, 80, 20_000)
        begin(); Perceptron(max_iter=10**5, multi_class="ovo").fit(X, y)""",
    "VotedPerceptron.fit of many pairs of classes": """
        X, y = rng.normal(size=(20_000, 4)), rng.integers(0, 80, 20_000)
        begin(); VotedPerceptron(max_iter=10**4, n_jobs=2).fit(X, y)""",
    "KernelPerceptron.fit in blocks": """
        X, y = rng.normal(size=(30_000, 20)), rng.integers(0, 2, 30_000)
        begin(); KernelPerceptron(max_updates=10**9).fit(X, y)""",
    "KernelPerceptron.fit with the whole Gram matrix": """
        X = rng.normal(size=(1000, 5)); X = np.concatenate([X, X]); y = np.repeat([0, 1], 1000)
        begin(); KernelPerceptron(max_iter=10**8).fit(X, y)""",
    "KernelPerceptron.fit with a budget": """
        X, y = rng.normal(size=(30_000, 20)), rng.integers(0, 2, 30_000)
        begin(); KernelPerceptron(budget=500, max_iter=10**4).fit(X, y)""",
    "Perceptron.predict": """
        model = Perceptron(max_iter=1).fit(rng.normal(size=(2000, 100)), np.arange(2000))
        X = rng.normal(size=(100_000, 100)).astype(np.float32)
        begin(); [model.predict(X) for _ in range(100)]""",
    "Perceptron.decision_function of pairs of classes": """
        model = Perceptron(max_iter=1, multi_class="ovo").fit(rng.normal(size=(400, 20)), np.arange(400) % 200)
        X = rng.normal(size=(100_000, 20))
        begin()
        for _ in range(100): model.decision_function(X)""",
    "KernelPerceptron.predict": """
        model = KernelPerceptron(max_iter=1).fit(rng.normal(size=(4000, 20)), rng.integers(0, 2, 4000))
        X = rng.normal(size=(200_000, 20))
        begin(); [model.predict(X) for _ in range(100)]""",
    "VotedPerceptron.predict": """
        model = VotedPerceptron().fit(rng.normal(size=(2000, 20)), np.arange(2000) % 100)
        X = rng.normal(size=(200_000, 20))
        begin(); [model.decision_function(X) for _ in range(100)]""",
    "separability of noise": """
        X, y = rng.normal(size=(10_000, 1000)), rng.integers(0, 2, 10_000)
        begin(); separability(X, y)""",
    "separability of sparse rows": """
        X, y = scipy.sparse.random(100_000, 20_000, 0.0005, "csr", rng=0), rng.integers(0, 2, 100_000)
        begin(); separability(X, y)""",
    "separability of many classes": """
        X, y = rng.normal(size=(3000, 300)), rng.integers(0, 10, 3000)
        begin(); separability(X, y)""",
    "theory.max_margin": """
        X = rng.normal(size=(5000, 500)); y = X @ rng.normal(size=500) > 0
        begin(); theory.max_margin(X, y)""",
    "theory.min_error by witnesses": """
        X, y = rng.normal(size=(2000, 20)), rng.integers(0, 2, 2000)
        begin(); theory.min_error(X, y, budget=np.inf)""",
    "theory.min_error by sweeps": """
        X, y = rng.normal(size=(1000, 3)), rng.integers(0, 2, 1000)
        begin(); theory.min_error(X, y, budget=np.inf)""",
    "theory.existence of multinomial estimates": """
        X, y = rng.normal(size=(20_000, 60)), rng.integers(0, 12, 20_000)
        begin(); theory.existence(X, y, family="multinomial")""",
    "theory.existence of Poisson estimates": """
        X, y = rng.normal(size=(20_000, 100)), rng.poisson(0.5, 20_000)
        begin(); theory.existence(X, y, family="poisson")""",
    "theory.cycles": """
        iris = data.load("iris"); X, y = np.round(10 * iris.X), np.where(iris.y == "versicolor", 1, -1)
        begin(); theory.cycles(X, y)""",
    "compat.SGDClassifier.fit on two threads": """
        X, y = rng.normal(size=(100_000, 40)), rng.integers(0, 5, 100_000)
        begin(); compat.SGDClassifier(max_iter=10**5, tol=None, n_jobs=2).fit(X, y)""",
    "textbook.run": """
        X, y = rng.normal(size=(1000, 3)), rng.choice([-1, 1], 1000)
        begin(); textbook.run(textbook.online(X, y))""",
    "top_weights of many pairs of classes": """
        model = Perceptron(max_iter=1, multi_class="ovo").fit(rng.normal(size=(1000, 20)), np.arange(1000) % 500)
        begin(); [model.top_weights() for _ in range(100)]""",
    "BooleanFunction.network": """
        function = BooleanFunction(rng.integers(0, 2, 2**14))
        begin(); function.network()""",
    "models.train with --tune": """
        digits = data.read("@digits")
        begin(); models.train(digits, models.Plan(tune=True))""",
    "models.train of a stream": """
        np.save("noise.npy", np.column_stack([rng.normal(size=(200_000, 60)), rng.integers(0, 5, 200_000)]))
        begin(); models.train(data.scan("noise.npy"), models.Plan())""",
}

PROGRAM = """
import sys, time, warnings
import numpy as np, scipy.sparse
from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, separability
from rosenblatt import compat, data, models, textbook, theory
from rosenblatt.boolean import BooleanFunction
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)

def begin():
    print("begun", flush=True)

try:
    exec({code!r})
except KeyboardInterrupt:
    print("interrupted", time.process_time(), flush=True)
else:
    print("ended", flush=True)
"""


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the processor time of another process")
@pytest.mark.parametrize("name", LONG_CALLS)
def test_ctrl_c_stops_a_long_call_within_a_second_and_a_half_of_processor_time(name, tmp_path):
    code = "\n".join(line.strip() for line in LONG_CALLS[name].strip().splitlines())
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(code=code)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
        cwd=tmp_path,
    )
    try:
        assert child.stdout.readline() == "begun\n"
        begun = processor_seconds(child.pid)
        while (used := processor_seconds(child.pid)) < begun + 0.5:  # now it is in the middle of its work
            assert child.poll() is None, "the call ended before it could be interrupted"
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        said, at = child.stdout.readline().split()
        assert said == "interrupted"
        assert float(at) - used < 1.5  # half a second for reading the clock of the process, and for two threads
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def hard(n=600, features=6, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, features)), rng.integers(0, classes, n)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("multi_class", ["ova", "ovo"])
@pytest.mark.parametrize("estimator", FAMILY)
def test_a_fit_of_noise_ends_at_its_limit_and_says_which(estimator, multi_class):
    for limit in LIMITS:
        if limit not in estimator().get_params():
            continue
        for classes in (2, 50):
            X, y = hard(classes=classes)
            model = estimator(**{"max_iter": 1000} | {limit: 3}, multi_class=multi_class).fit(X, y)
            assert limit in model.statuses_
            assert len(model.predict(X)) == len(y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_against_one_of_many_inseparable_pairs_ends_by_its_default_budget():
    rng = np.random.default_rng(0)
    y = np.arange(240) % 48
    X = rng.normal(size=(240, 1)) + 10.0 * np.maximum(y, 3)[:, None]  # the first four classes overlap
    model = Perceptron(multi_class="ovo").fit(X, y)
    assert model.status_ == "stalled"
    assert 1 <= model.statuses_.count("stalled") <= 12


def test_a_kernel_fit_without_the_gram_matrix_ends_by_its_default_limit(monkeypatch):
    from rosenblatt.learning.dual import run_groups

    X, y = hard(n=1000)
    monkeypatch.setattr(run_groups, "DEFAULT_VALUES", 200_000)
    with pytest.warns(match=r"ended 'max_updates'.*default limit for this many examples is 200 updates"):
        model = KernelPerceptron(cache_size=1).fit(X, y)
    assert (model.status_, model.n_mistakes_, model._default_limit, model.regime_) == (
        "max_updates",
        200,
        200,
        "blocks",
    )
    monkeypatch.undo()
    mean = KernelPerceptron(cache_size=1, max_updates=200, vote="average").fit(X, y)
    np.testing.assert_array_equal(model.dual_coef_, mean.dual_coef_)
    with pytest.warns(match="ended 'max_updates'"):
        last = KernelPerceptron(cache_size=1, max_updates=200).fit(X, y)
    assert last._default_limit is None
    np.testing.assert_array_equal(last.dual_coef_, model.last_dual_coef_)


def test_a_separability_search_without_time_is_undecided_or_proves_its_answer():
    X, y = hard(n=400, features=40)
    found = rosenblatt.separability(X, y, budget=0.01)
    assert found.separable is None or found.verify()


@pytest.fixture
def terminal(monkeypatch):
    """Makes stderr a terminal. Returns a function that reads what was written to it."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "w", buffering=1) as stream:
        monkeypatch.setattr(meter, "sys", SimpleNamespace(stderr=stream))  # pytest replaces sys.stderr itself
        monkeypatch.setattr(meter, "_WAIT", 0.0)
        monkeypatch.setattr(meter, "_REFRESH", 0.0)

        text, ended = bytearray(), threading.Event()

        def read():  # while the call runs: the buffer of a terminal holds a few kB
            while not ended.is_set():
                if select.select([master], [], [], 0.01)[0]:
                    text.extend(os.read(master, 1 << 16))

        reader = threading.Thread(target=read)
        reader.start()

        def written():
            stream.flush()
            while select.select([master], [], [], 0.02)[0]:
                time.sleep(0.01)
            return text.decode()

        yield written
        ended.set()
        reader.join()
    os.close(master)


def test_a_fit_shows_its_progress_in_a_terminal_and_erases_it(terminal):
    X, y = hard(n=2000)
    AveragedPerceptron(max_iter=3).fit(X, y)
    text = terminal()
    assert all(part in text for part in ("AveragedPerceptron.fit: ", " mistakes", "Ctrl-C stops"))
    assert text.endswith("\r\x1b[K")


def test_the_first_epoch_shows_no_counts_before_it_ends(terminal):
    line = ProgressLine(0, "Perceptron", 3)
    with line:
        line.tick(0.5, (0, 0, 0, 0, 0.0))
        line.tick(1.5, (1, 200, 20, 10, 0.0))
    first, second = [text for text in terminal().split("\r\x1b[K") if text]
    assert "mistakes" not in first
    assert "20 mistakes, 5.00% errors" in second


#: Calls that can take minutes, on small data, with a word that their progress shows.
SHOWN_CALLS = {
    "Perceptron.fit: ": lambda X, y: compat.Perceptron(max_iter=3, tol=None).fit(X, y),
    " of 9 epochs, 1 of 3 classes": lambda X, y: compat.SGDClassifier(max_iter=3).fit(X, np.arange(len(y)) % 3),
    "PassiveAggressiveRegressor.fit: ": lambda X, y: compat.PassiveAggressiveRegressor(max_iter=3).fit(X, y),
    "cycles: ": lambda X, y: theory.cycles(X, y, max_iter=3),
    "textbook.run: 1,000 steps": lambda X, y: textbook.run(textbook.online(X, np.where(y, 1, -1), max_iter=3)),
    "top_weights: ": lambda X, y: AveragedPerceptron(max_iter=1).fit(X, np.arange(len(y)) % 3).top_weights(),
    "cover of ANDs: ": lambda X, y: BooleanFunction(np.random.default_rng(0).integers(0, 2, 2**9)).network(),
    "network, truth table": lambda X, y: BooleanFunction("a xor b").network(),
    "count_threshold_functions: ": lambda X, y: count_threshold_functions(3),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("text", SHOWN_CALLS)
def test_a_call_that_can_take_minutes_shows_its_progress(text, terminal):
    SHOWN_CALLS[text](*hard(n=2000))
    assert text in terminal()


def test_a_progress_line_fits_into_the_terminal(terminal):
    fcntl.ioctl(meter.sys.stderr.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    for name, detail in (
        ("PocketPerceptron.fit", "100,535 mistakes, 50.27% errors"),
        ("short", ""),
        ("long" * 30, ""),
    ):
        with Meter(name, total=10_000, unit="epochs") as shown:
            shown.update(5000, detail)
    lines = [line for line in terminal().split("\r\x1b[K") if line]
    assert len(lines) == 3
    assert max(map(len, lines)) <= 79
    assert lines[0].startswith("PocketPerceptron.fit: 5,000 of 10,000 epochs, 0:00, at most 0:00 left")
    assert lines[1].endswith("short: 5,000 of 10,000 epochs, 0:00, at most 0:00 left (Ctrl-C stops)")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_report_of_many_pairs_reads_the_weights_of_the_pairs_that_it_shows():
    X, y = hard(n=300, classes=100)
    model = Perceptron(max_iter=1, multi_class="ovo").fit(X, y)
    read = []

    class Weights(list):
        def __getitem__(self, pair):
            read.append(pair)
            return super().__getitem__(pair)

    vars(model)["coef_"] = Weights(model.coef_)
    assert model.report().count(" against ") == 10
    assert len(read) == 10


def test_ctrl_c_is_handled_while_highs_solves_a_linear_program(monkeypatch):
    ended = threading.Event()

    def highs(*args, **options):
        assert threading.current_thread() is not threading.main_thread(), "HiGHS does not return to Python"
        signal.raise_signal(signal.SIGINT)
        ended.wait(60)

    monkeypatch.setattr("scipy.optimize.linprog", highs)
    X, y = hard(n=200)
    try:
        with pytest.raises(KeyboardInterrupt):
            theory.existence(X, y, family="poisson")
    finally:
        ended.set()


def test_a_cycle_search_ends_by_its_budget_and_says_how_to_go_on():
    X, y = hard(n=200)
    with pytest.raises(ValueError, match=r"neither separated .* nor cycled.* budget of 1,000,000 .*budget=math.inf"):
        theory.cycles(X, y, budget=1e6)


def test_a_trace_of_a_large_truth_table_ends_after_about_a_million_steps(monkeypatch):
    monkeypatch.setattr(lesson, "_MAX_STEPS", 2000)
    noise = BooleanFunction(np.random.default_rng(0).integers(0, 2, 2**9))
    assert (noise.trace().status, noise.trace().n_iter) == ("max_iter", 3)
    assert noise.trace(max_iter=5).n_iter == 5


def test_progress_says_what_how_far_and_how_long(terminal):
    with Meter("counting", total=10, unit="numbers") as outer:
        with Meter("inner") as inner:
            inner.update(detail="one")
            outer.update(5)  # the inner one is shown
        outer.update(5)
    text = terminal()
    assert "inner: one, 0:00 (Ctrl-C stops)" in text
    assert text.count("counting") == 1
    assert "counting: 5 of 10 numbers, 0:00, at most 0:00 left" in text


def test_nothing_is_written_if_stderr_is_no_terminal_or_the_call_is_short(terminal, monkeypatch, capfd):
    monkeypatch.setattr(meter, "_WAIT", 1000.0)
    with Meter("short") as short:
        short.update(1)
    assert terminal() == ""
    monkeypatch.setattr(meter, "_WAIT", 0.0)
    monkeypatch.setattr(meter, "sys", sys)
    with Meter("no terminal") as hidden:
        hidden.update(1)
    assert "no terminal" not in capfd.readouterr().err


def test_sparse_rows_in_parts_are_scored_as_at_once(monkeypatch):
    from rosenblatt.learning.scores import prediction

    X = random_sparse(301, 50, 0.1, "csr", rng=np.random.default_rng(0))
    y = np.arange(301) % 3
    model = AveragedPerceptron(max_iter=3).fit(X, y)
    for Z in (X, X.toarray(), X.toarray().astype(np.float32), X.astype(np.float32)):
        labels, scores = model.predict(Z), model.decision_function(Z)
        with monkeypatch.context() as patch:
            patch.setattr(prediction, "_SLICE", 500)
            np.testing.assert_array_equal(model.predict(Z), labels)
            np.testing.assert_array_equal(model.decision_function(Z), scores)
