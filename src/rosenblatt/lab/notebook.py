"""The lab in a notebook: a widget with the same front end, and a static copy of its first run that needs no kernel."""

import html
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike, NDArray

from rosenblatt import conventions
from rosenblatt.conventions.own_dialect import NAMES
from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.jobs.pasted_tables import Table
from rosenblatt.lab.jobs.proof_job import proof
from rosenblatt.lab.jobs.service import Service, encoded
from rosenblatt.lab.limits import MAX_CLASSES, MAX_POINTS
from rosenblatt.lab.page.assets import catalogues, styles
from rosenblatt.lab.page.bundle import bundle
from rosenblatt.lab.page.replay_file import replay_page, shell
from rosenblatt.lab.requests.run_requests import ProofRequest, RunParameters
from rosenblatt.learning.parameters import defaults_of

#: The parameters of a run as the page names them, with their defaults: those of `Perceptron`, but for the page's own.
#: The algorithm's name implies `step`, and every run is recorded.
_SHARED = RunParameters.__annotations__.keys() - {"step", "record"}
RULE: dict[str, Any] = {
    **{name: value for name, value in defaults_of("Perceptron").items() if name in _SHARED},
    "algorithm": "perceptron",
    "start": [0.0, 0.0, 0.0],
    "order": "cyclic",
    "margin": 1.0,
    "ratchet": False,
    "max_steps": 20_000,
}


def _module() -> str:
    return f"const lab = (() => {{\n{bundle('widget.js')}\n}})();\nexport default {{ render: lab.render }};\n"


def _styles() -> str:
    """Returns the page's style sheets without the rule for `body`, which would change the whole notebook."""
    return styles().replace("body { margin: 0; }\n", "")


class LabWidget(anywidget.AnyWidget):
    """A live lab. Displaying it also stores a static copy in the notebook, which the live widget hides."""

    _esm = _module()
    _css = _styles()

    recorded = traitlets.Dict().tag(sync=True)  # the state that `saved_page.js` replays
    place = traitlets.Unicode().tag(sync=True)  # identifies the static copy

    def __init__(self, table: Table, columns: Sequence[int], rule: Mapping[str, Any]) -> None:
        self._service = Service(table)
        super().__init__(recorded=_recorded(self._service, table, list(columns), dict(rule)), place=uuid.uuid4().hex)
        self.on_msg(self._on_message)

    def _on_message(self, _widget: Any, message: dict[str, Any], _buffers: Any) -> None:
        """Answers one request of the front end."""

        def send_event(event: str, data: Any) -> None:
            self.send({"id": message["id"], "event": event, "data": data})

        if message["job"] == "catalogue":
            send_event("answer", catalogue(self._service.given))
        elif message["job"] == "shell":
            send_event("answer", {"html": shell()})
        else:
            event, data = self._service.answer(
                message["job"], json.dumps(message["body"]), lambda progress: send_event("progress", progress)
            )
            send_event(event, json.loads(data))

    def static(self) -> str:
        """Returns an HTML frame that replays the first run and needs neither a kernel nor a network."""
        page = html.escape(replay_page(dict(self.recorded)))
        title = html.escape(catalogues()["en"]["page.replay_title"])
        return (
            f'<div class="rosenblatt-static-{self.place}"><iframe title="{title}" sandbox="allow-scripts '
            f'allow-downloads" width="100%" height="900" frameborder="0" srcdoc="{page}"></iframe></div>'
        )

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        # Two outputs, because an exported page shows a widget only if it can load scripts from a CDN, else nothing.
        made = self._repr_mimebundle_()
        display(made[0] if isinstance(made, tuple) else made, raw=True)  # type: ignore[no-untyped-call]  # IPython's
        display(HTML(self.static()))  # type: ignore[no-untyped-call]  # as above


def widget(
    X: ArrayLike,
    y: ArrayLike,
    *,
    feature_names: Sequence[str] | None = None,
    columns: Sequence[int] = (0, 1),
    convention: str = "L0",
    **rule: Any,
) -> LabWidget:
    """The lab on your own data, in a notebook.

    Parameters
    ----------
    X : array or data frame of shape (n_examples, n_features)
        At most 10,000 examples. The plane shows two columns at a time.
    y : array of n_examples labels
    feature_names : sequence of str, default=None
        Names of the columns. By default those of the data frame, or x1, x2, …
    columns : two numbers, default=(0, 1)
        The columns that are shown first.
    convention : {"L0", "L1", "L1_offset", "L2", "L3", "L4"}, default="L0"
        The lecture whose convention the first run uses.
    **rule
        Parameters that replace the convention's: `tie`, `order`, `eta0`, `algorithm`, `multi_class`, `max_steps`, …

    Returns
    -------
    LabWidget
        A notebook displays it as the last line of a cell. `static()` returns the HTML of its static copy.

    Examples
    --------
    >>> from rosenblatt import lab
    >>> shown = lab.widget([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], tie="positive")
    >>> shown.recorded["sides"][0]["run"]["ending"]["mistakes"]
    11
    """
    names = feature_names if feature_names is not None else getattr(X, "columns", None)
    table = _table(np.asarray(X, dtype=np.float64), np.asarray(y), None if names is None else [str(n) for n in names])
    unknown = [name for name in rule if name not in RULE]
    if unknown:
        raise TypeError(f"the lab's rule has no {unknown[0]!r}; it has: {', '.join(RULE)}.")
    if convention not in NAMES:
        raise ValueError(f"there is no convention {convention!r}; there are: {', '.join(NAMES)}.")
    chosen = {name: value for name, value in getattr(conventions, convention).items() if name in RULE}
    return LabWidget(table, columns, RULE | chosen | rule | {"convention": convention})


def _table(X: NDArray[np.float64], y: NDArray[Any], names: list[str] | None) -> Table:
    """Converts the examples to a table. Raises `ValueError` if the lab cannot show them."""
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(f"X has shape {X.shape} and y {y.shape}; the lab takes a table, and a label for each row.")
    names = [f"x{j}" for j in range(1, X.shape[1] + 1)] if names is None else names
    if len(names) != X.shape[1]:
        raise ValueError(f"there are {len(names)} feature names and {X.shape[1]} columns; they must agree.")
    if len(X) > MAX_POINTS:
        raise ValueError(
            f"X has {len(X):,} rows; the lab shows at most {MAX_POINTS:,}. Take a sample, for example "
            f"rows = numpy.random.default_rng(0).choice({len(X)}, {MAX_POINTS}, replace=False)."
        )
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise ValueError(f"X, row {row}, column {column} is {X[row, column]}; the lab draws finite numbers.")
    classes, codes = np.unique(y, return_inverse=True)
    if not 2 <= len(classes) <= MAX_CLASSES:
        raise ValueError(f"y has {len(classes)} classes; the lab shows 2 to {MAX_CLASSES}.")
    if X.shape[1] == 1:  # one column: the points lie on a line, with second coordinate zero
        X, names = np.column_stack([X, np.zeros(len(X))]), [*names, "0"]
    return Table("your data", names, X, [str(c) for c in classes.tolist()], codes.astype(np.int32))


def _recorded(service: Service, table: Table, columns: list[int], rule: dict[str, Any]) -> dict[str, Any]:
    shown = _answer_to(service, "data", {"name": "given", "columns": columns})
    chosen = shown["chosen"]
    kept = table.codes < len(shown["classes"])
    X, codes = table.X[kept], table.codes[kept]
    points: list[dict[str, Any]] = [
        {"x": row[chosen[0]], "y": row[chosen[1]], "c": int(c)} for row, c in zip(X.tolist(), codes, strict=True)
    ]
    plane = None  # the plane that is shown of data with more than two columns
    if shown["values"] is None:
        X = np.ascontiguousarray(X[:, chosen])
    else:
        plane = {"chosen": chosen, "means": X.mean(axis=0).tolist(), "columns": table.columns, "kind": "columns"}
        points = [point | {"v": row} for point, row in zip(points, X.tolist(), strict=True)]
    parameters = {k: v for k, v in rule.items() if k != "convention"}
    parameters["start"] = _start(rule["start"], X.shape[1], chosen)
    body = {"x": X.tolist(), "y": codes.tolist(), "rule": parameters}
    run = _answer_to(service, "run", body)
    source = {"job": "data", "name": "given", "columns": chosen, "standardize": False}
    data = {
        "source": source,
        "name": table.name,
        "points": points,
        "slice": plane,
        "canSlice": plane is not None,
        "classes": shown["classes"],
        "columns": [table.columns[column] for column in chosen],
        "allColumns": table.columns,
        "chosen": chosen,
        "leftOut": shown["left_out"],
        "sampledFrom": shown["sampled_from"],
    }
    side = {"rule": rule, "run": run, "at": 0, "focus": 0 if run["kind"] == "ovo" else None, "proof": None}
    if run["kind"] == "two":
        request = {
            "positive": run["classes"][1],
            "negative": run["classes"][0],
            "fit_intercept": run["fit_intercept"],
            "eta0": rule["eta0"],
            "start": run["problems"][0]["start"],
        }
        side["proof"] = request | {"answer": proof(ProofRequest.of(body | request))}
    return {
        "catalogue": catalogue(table) | {"datasets": {}},
        "data": data,
        "sides": [side],
        "compare": False,
        "show": {"regions": True, "margin": True, "vectors": True, "ghost": True},
    }


def _start(start: Any, n_columns: int, chosen: list[int]) -> Any:
    """Initial weights for all columns: those of three numbers belong to the columns that are shown."""
    if not isinstance(start, list) or len(start) != 3 or isinstance(start[0], list) or n_columns == 2:
        return start
    made = [start[0], *([0.0] * n_columns)]
    made[1 + chosen[0]], made[1 + chosen[1]] = start[1], start[2]
    return made


def _answer_to(service: Service, job: str, body: dict[str, Any]) -> dict[str, Any]:
    event, data = service.answer(job, encoded(body), lambda _progress: None)
    answer: dict[str, Any] = json.loads(data)
    if event != "answer":
        raise ValueError(answer["message"])
    return answer
