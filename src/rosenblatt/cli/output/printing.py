"""Printing for commands: reports on a console, without control characters, and JSON."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.output.standard_streams import is_utf8
from rosenblatt.visible import visible, visible_json, visible_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rosenblatt.models import Assessment, Record
    from rosenblatt.models.training.evaluation.thresholds import Thresholds

_SHOWN_CLASSES = 12


def console(stderr: bool = False) -> "Console":
    """A console with a fixed width of 110 columns if the output is a file or a pipe."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, emoji=False)
    if not made.is_terminal:
        made = Console(stderr=stderr, highlight=False, emoji=False, width=110)
    return made


def echo(text: str, *, err: bool = False) -> None:
    """Prints lines with control characters escaped."""
    click.echo(visible_lines(text), err=err)


def shown(text: str, style: str = "") -> "Text":
    """A line or a cell for a rich console, without markup, with control characters escaped."""
    from rich.text import Text

    return Text(visible(text), style)


def note(*lines: str) -> None:
    """Prints notes on stderr."""
    for line in lines:
        echo(visible(f"note: {line}"), err=True)


def counted(n: int, noun: str) -> str:
    """A number and its noun: "1 feature", "1,200 features"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def print_json(document: Any) -> None:
    """Prints JSON, with non-ASCII characters escaped unless standard output is UTF-8."""
    click.echo(json_text(document, indent=2))


def json_text(document: Any, indent: int | None = None) -> str:
    """JSON text that is safe to print on a terminal."""
    ascii_only = not is_utf8(sys.stdout)
    return visible_json(json.dumps(document, indent=indent, ensure_ascii=ascii_only, allow_nan=False))


def plain(value: Any) -> Any:
    """Converts NumPy numbers and arrays to plain values. A structured array becomes a dictionary of columns."""
    import numpy as np

    if isinstance(value, np.ndarray) and value.dtype.names:
        return {name: value[name].tolist() for name in value.dtype.names}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value


def print_facts(out: "Console", facts: list[tuple[str, str]]) -> None:
    """Prints pairs of name and value in two columns."""
    width = max(len(name) for name, _ in facts) + 2
    for name, value in facts:
        out.print(shown(name.ljust(width), "bold"), shown(value), sep="", soft_wrap=True)


def print_assessment(out: "Console", assessment: "Assessment") -> None:
    """Prints precision and recall per class, and the confusion matrix."""
    from rich.table import Table

    classes = [str(label) for label in assessment.classes.tolist()]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("class", "precision", "recall", "examples"):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    table.add_column("│")
    small = len(classes) <= _SHOWN_CLASSES
    for name in classes if small else []:
        table.add_column(shown(f"→ {name}"), justify="right")
    shares = zip(assessment.precision, assessment.recall, assessment.confusion, strict=True)
    for name, (precision, recall, counts) in list(zip(classes, shares, strict=True))[: 4 * _SHOWN_CLASSES]:
        cells = [_percent(precision), _percent(recall), f"{counts.sum():,}", "│"]
        table.add_row(shown(name), *cells, *(f"{n:,}" if n else "·" for n in (counts if small else [])))
    out.print(table)


def print_thresholds(out: "Console", thresholds: "Thresholds") -> None:
    """Prints what each threshold on the probability or score of the rarer class gives."""
    from rich.table import Table

    what = "probability" if thresholds.of_probability else "score"
    out.print()
    out.print(shown(f"{thresholds.positive}, if its {what} is at least the threshold", "bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("threshold", "predicted", "precision", "recall", "right"):
        table.add_column(heading, justify="right")
    for row in thresholds.rows:
        shares = (_percent(share) for share in (row.precision, row.recall, row.accuracy))
        table.add_row(f"{row.threshold:.4g}", f"{row.predicted:,}", *shares)
    out.print(table)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def problem_names(record: "Record") -> list[str]:
    """The name of each binary problem of a linear model: its positive class, or "b against a"."""
    from itertools import combinations

    classes = [str(label) for label in record.classes.tolist()]
    if len(classes) == 2:
        return classes[1:]
    if record.parameters.get("multi_class") == "ovo":
        return [f"{b} against {a}" for a, b in combinations(classes, 2)]
    return classes


def top_weights(record: "Record", k: int, problems: int | None = None) -> dict[str, list[tuple[str, float]]]:
    """The k weights of largest magnitude of each of the first binary problems, with feature names, without the offset.

    None means all problems.
    """
    import numpy as np

    coef = record.fitted["coef_"]
    keys = problem_names(record)
    if len(coef) == 1:
        keys = [f"{record.classes.tolist()[1]} (positive) against {record.classes.tolist()[0]}"]
    found = {}
    for key, problem in zip(keys, range(len(coef))[:problems], strict=False):
        w = coef[problem]
        largest = np.argsort(-np.abs(w), kind="stable")[:k]
        names = record.features.names_of(largest.tolist())
        found[key] = [(name, float(w[j])) for name, j in zip(names, largest.tolist(), strict=True) if w[j]]
    return found


def weights_as_dict(record: "Record", k: int) -> dict[str, Any]:
    """The top weights and the offsets for JSON; empty for a model that is not linear."""
    from rosenblatt.models.files.registry import KINDS

    if not KINDS[record.estimator].is_linear:
        return {}
    return {"top_weights": top_weights(record, k), "offsets": record.fitted["intercept_"].tolist()}


def print_weights(out: "Console", record: "Record", k: int) -> None:
    weights = top_weights(record, k, _SHOWN_CLASSES)
    offsets = record.fitted["intercept_"].tolist()
    for (key, top), offset in zip(weights.items(), offsets, strict=False):
        listed = ", ".join(f"{name} {weight:+.4g}" for name, weight in top) or "all zero"
        out.print(shown(f"  {key}: {listed}; offset {offset:+.4g}"), soft_wrap=True)
    if len(offsets) > _SHOWN_CLASSES:
        out.print(f"  … and {len(offsets) - _SHOWN_CLASSES} more (--json has all)")


def write_plot(figure: Any, path: str) -> None:
    """Writes a figure to a file. The suffix of the path determines the format."""
    from pathlib import Path

    from rosenblatt import plot
    from rosenblatt.whole_file import write_whole

    write_whole(path, plot.to_bytes(figure, Path(path).suffix.removeprefix(".").lower() or "png"))
