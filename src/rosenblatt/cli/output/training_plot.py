"""The figures that `train` and `evaluate` can draw."""

from typing import TYPE_CHECKING, Any

from rosenblatt.data import DataError, Sparse
from rosenblatt.visible import visible

if TYPE_CHECKING:
    from rosenblatt.data import Dataset
    from rosenblatt.models import Assessment, Trained

_SHOWN = 5000


def training_figure(
    loaded: "Dataset | None", trained: "Trained", tested: "Assessment | None", kind: str, pair: str | None
) -> Any:
    """The figure of this kind. "auto" means regions for two features or a pair, otherwise mistakes."""
    from rosenblatt import plot

    record = trained.record
    if kind == "auto":
        in_plane = loaded is not None and (pair is not None or record.features.n_features == 2)
        kind = "regions" if in_plane else "mistakes"
    title = visible(f"{record.estimator} on {record.training['source']}")
    if kind == "mistakes":
        return plot.mistakes(
            record.fitted["history_"], bound=trained.verdict.bound if trained.verdict else None, title=title
        )
    if kind == "confusion":
        shown = tested or trained.on_training
        if shown is None:
            raise DataError("there are no predictions to compare: leave --quiet out.")
        return plot.confusion(shown.confusion, shown.classes)
    if loaded is None:
        raise AssertionError(f"{kind} are drawn from examples in memory")
    if kind == "margins":
        if len(record.classes) != 2:
            raise DataError(
                f"margins are drawn for 2 classes; there are {len(record.classes)}. Draw --plot-kind confusion."
            )
        return plot.margins(record.scores(loaded.X)[:, 0], loaded.needs_labels().y, title=title)
    return _regions(loaded, trained, pair, title)


def _regions(loaded: "Dataset", trained: "Trained", pair: str | None, title: str) -> Any:
    from rosenblatt import plot

    record, names = trained.record, trained.record.features.names()
    if isinstance(loaded.X, Sparse):
        raise DataError("decision regions are drawn for dense data; draw --plot-kind mistakes for svmlight files.")
    if len(names) < 2:
        raise DataError(
            f"decision regions need two features, and the model has {len(names)}; draw --plot-kind mistakes. "
            "rosenblatt look lists the columns that are left out."
        )
    wanted = pair.split(",") if pair is not None else names[:2]
    if len(wanted) != 2 or any(name.strip() not in names for name in wanted):
        raise DataError(f"--pair takes two features, such as {','.join(names[:2])}; got {pair!r}.")
    a, b = (names.index(name.strip()) for name in wanted)

    def predict(X: Any) -> Any:
        return record.classes[record.predicted_codes(X)]

    y = loaded.needs_labels().y
    return plot.regions(predict, loaded.X[:_SHOWN], y[:_SHOWN], pair=(a, b), feature_names=names, title=title)
