"""scikit-learn's callback interface (since 1.9): `set_callbacks`, with one task for the fit and one for each epoch.

With an older scikit-learn an estimator has no `set_callbacks`, and nothing here has an effect.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.progress import Progress

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]  # or the imported one
        """The place of scikit-learn's mixin, where that does not exist yet."""

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        return method


#: The fitted attributes as if the fit had ended with this epoch; None if they are not known.
Fitted = Callable[[Progress], dict[str, Any] | None]

__all__ = ["CallbackSupportMixin", "has_callbacks", "reported_fit", "with_callbacks"]


def has_callbacks(estimator: Any) -> bool:
    """Whether scikit-learn's callbacks watch this estimator."""
    return bool(vars(estimator).get("_skl_callbacks"))


@contextmanager
def reported_fit(
    estimator: Any, parameters: Parameters, examples: Examples, given: Sequence[Any], fitted: Fitted | None
) -> Iterator[Parameters]:
    """Reports a fit and its epochs to scikit-learn's callbacks. Gives the parameters with which to run.

    `given` is (X, y, sample_weight) as the caller passed them. A hook that returns true ends the run after this epoch.
    """
    if not has_callbacks(estimator):
        yield parameters
        return
    X, y, sample_weight = given
    shown = {"estimator": estimator, "X": X, "y": y}
    if sample_weight is not None:
        shown["metadata"] = {"sample_weight": sample_weight}
    n_groups = len(groups_of(parameters["multi_class"], parameters["order"], examples))
    max_iter = parameters["max_iter"]
    context = estimator._init_callback_context(max_subtasks=None if max_iter is None else n_groups * max_iter)
    context.call_on_fit_task_begin(**shown)
    own = parameters["callback"]

    def end_epoch(progress: Progress) -> object:
        stop = own(progress) if own is not None else None
        epoch = context.subcontext(task_name="epoch")
        epoch.call_on_fit_task_begin(**shown)
        return epoch.call_on_fit_task_end(**shown, reconstruction_attributes=lambda: attributes_after(progress)) or stop

    def attributes_after(progress: Progress) -> dict[str, Any] | None:
        # A run of several groups has the weights of the present group only.
        known = fitted(progress) if fitted is not None and n_groups == 1 else None
        return None if known is None else {"classes_": examples.classes, **known}

    yield parameters.replaced(callback=end_epoch)
    context.call_on_fit_task_end(**shown, reconstruction_attributes=dict)
