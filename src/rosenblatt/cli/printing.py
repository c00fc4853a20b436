"""All that commands print: reports for people on a console, without control characters, and JSON for programs."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.standard_streams import is_utf8
from rosenblatt.visible import visible, visible_json, visible_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rosenblatt.models import Assessment, Record

_SHOWN_CLASSES = 12


def console(stderr: bool = False) -> "Console":
    """A console that wraps nothing where its output goes to a file or a pipe."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, emoji=False)
    if not made.is_terminal:
        made = Console(stderr=stderr, highlight=False, emoji=False, width=110)
    return made


def echo(text: str, *, err: bool = False) -> None:
    """Prints lines as they are, but for control characters in them."""
    click.echo(visible_lines(text), err=err)


def shown(text: str, style: str = "") -> "Text":
    """A line or a cell for a rich console, without markup and control characters."""
    from rich.text import Text

    return Text(visible(text), style)


def note(*lines: str) -> None:
    """What was found out rather than told, on stderr."""
    for line in lines:
        echo(visible(f"note: {line}"), err=True)


def print_json(document: Any) -> None:
    """Prints JSON, with escapes where standard output cannot take any text."""
    click.echo(json_text(document, indent=2))


def json_text(document: Any, indent: int | None = None) -> str:
    """JSON that can be read on a terminal, too."""
    ascii_only = not is_utf8(sys.stdout)
    return visible_json(json.dumps(document, indent=indent, ensure_ascii=ascii_only, allow_nan=False))


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them; of tables, their columns."""
    import numpy as np

    if isinstance(value, np.ndarray) and value.dtype.names:
        return {name: value[name].tolist() for name in value.dtype.names}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value


def print_facts(out: "Console", facts: list[tuple[str, str]]) -> None:
    """Pairs in two columns."""
    width = max(len(name) for name, _ in facts) + 2
    for name, value in facts:
        out.print(shown(name.ljust(width), "bold"), shown(value), sep="", soft_wrap=True)


def print_assessment(out: "Console", assessment: "Assessment") -> None:
    """Precision and recall by class, and the confusion matrix."""
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


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def top_weights(record: "Record", k: int) -> dict[str, list[tuple[str, float]]]:
    """The k largest weights of each binary problem, by feature name; the offset is not among them."""
    from itertools import combinations

    import numpy as np

    coef = record.fitted["coef_"]
    classes = [str(label) for label in record.classes.tolist()]
    if len(coef) == 1:
        keys = [f"{classes[1]} (positive) against {classes[0]}"]
    elif record.parameters.get("multi_class") == "ovo":
        keys = [f"{b} against {a}" for a, b in combinations(classes, 2)]
    else:
        keys = classes
    found = {}
    for key, w in zip(keys, coef, strict=True):
        largest = np.argsort(-np.abs(w), kind="stable")[:k]
        names = record.features.names_of(largest.tolist())
        found[key] = [(name, float(w[j])) for name, j in zip(names, largest.tolist(), strict=True) if w[j]]
    return found


def weights_as_dict(record: "Record", k: int) -> dict[str, Any]:
    """The same for JSON, with the offsets; nothing for a model that has no weights."""
    from rosenblatt.models.registry import KINDS

    if not KINDS[record.estimator].is_linear:
        return {}
    return {"top_weights": top_weights(record, k), "offsets": record.fitted["intercept_"].tolist()}


def print_weights(out: "Console", record: "Record", k: int) -> None:
    weights = top_weights(record, k)
    offsets = record.fitted["intercept_"].tolist()
    for (key, top), offset in list(zip(weights.items(), offsets, strict=True))[:_SHOWN_CLASSES]:
        listed = ", ".join(f"{name} {weight:+.4g}" for name, weight in top) or "all zero"
        out.print(shown(f"  {key}: {listed}; offset {offset:+.4g}"), soft_wrap=True)
    if len(weights) > _SHOWN_CLASSES:
        out.print(f"  … and {len(weights) - _SHOWN_CLASSES} more (--json has all)")


def write_plot(figure: Any, path: str) -> None:
    """A figure to a file whose suffix says how."""
    from pathlib import Path

    from rosenblatt import plot
    from rosenblatt.whole_file import write_whole

    write_whole(path, plot.to_bytes(figure, Path(path).suffix.removeprefix(".").lower() or "png"))
