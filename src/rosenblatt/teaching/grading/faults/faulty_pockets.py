"""Pocket algorithms with one fault each, around a correct perceptron."""

from collections.abc import Callable, Iterator, Sequence

from rosenblatt.conventions.step import Step
from rosenblatt.teaching.grading.faults.faulty_loops import Fault
from rosenblatt.teaching.grading.task import Array, Task


def pocket_faults(task: Task, steps: Sequence[Step], separates: bool) -> Iterator[Fault]:
    """Faults of the pocket around a correct perceptron."""

    def variant(enters: Callable[[int, int], bool], resets: bool = True, last: bool = True) -> Iterator[Array]:
        run = best = 0
        w_pocket = task.start
        for step in steps:
            if step.mistake:
                if enters(run, best):
                    w_pocket, best = step.w_before, run
                    yield w_pocket
                run = 0 if resets else run
            else:
                run += 1
        if last and steps and (enters(run, best) or separates):
            yield steps[-1].w_after

    def latest() -> Iterator[Array]:
        yield from (step.w_after for step in steps if step.mistake)

    equal = "Your pocket compares with ≥: a run as long as the one in the pocket does not replace it."
    yield Fault("pocket comparison", equal, lambda _task: variant(lambda run, best: run >= best))
    smaller = "Your pocket compares the wrong way round: a longer run replaces a shorter one."
    yield Fault("pocket comparison", smaller, lambda _task: variant(lambda run, best: run < best))
    always = "Your pocket takes every vector: only a longer run of right examples enters it."
    yield Fault("pocket comparison", always, lambda _task: latest())
    no_last = "The comparison after the loop is missing: the last run may be the longest."
    yield Fault("stop condition", no_last, lambda _task: variant(lambda run, best: run > best, last=False))
    no_reset = "Your counter run is not set back to 0 after an update."
    yield Fault("other", no_reset, lambda _task: variant(lambda run, best: run > best, resets=False))
