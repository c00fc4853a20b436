"""`rosenblatt inspect`: shows the content of a model file."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import json_option, model_argument

if TYPE_CHECKING:
    from rosenblatt.models import Record
    from rosenblatt.models.files.certificates import Certificate


@click.command()
@model_argument
@click.option("-k", "--top", type=click.IntRange(min=1), default=10, show_default=True, help="Weights per problem.")
@json_option
def inspect(model: str, top: int, as_json: bool) -> None:
    """Show a saved model: its weights by name, how the fit ended, its columns and the data it was trained on.

    \b
    Examples:
      rosenblatt inspect model.json
      rosenblatt inspect model.json --top 3 --json
    """
    from rosenblatt.cli.output.printing import console, echo, print_facts, print_json, print_weights
    from rosenblatt.cli.output.training_report import ending_in_words
    from rosenblatt.models import read
    from rosenblatt.models.files.registry import KINDS

    record = read(model)
    if as_json:
        print_json(_as_dict(record, top))
        return
    classes = f"{len(record.classes)} classes: {', '.join(map(str, record.classes.tolist()[:12]))}"
    facts = [("model", f"{record.estimator}, {classes}"), ("features", _features(record))]
    if "status_" in record.fitted:
        facts.append(("ended", ending_in_words(record.fitted)))
        facts.append(("mistakes", f"{record.fitted['n_mistakes_']:,} in {record.fitted['n_iter_']:,} epochs"))
    facts += [
        ("certificate", _in_words(proof)) for proof in record.fitted.get("certificates_", ()) if proof is not None
    ]
    if record.training:
        training = record.training
        facts.append(("data", f"{training.get('source')}, {training.get('examples')} examples seen, "
                              f"{training.get('held_out')} held out, {training.get('fingerprint')}"))  # fmt: skip
        if training.get("chosen"):
            facts.append(("chosen", training["chosen"]))
    if record.calibration is not None:
        found = record.calibration
        facts.append(("probability", f"calibrated on {found.held_out}, {found.n_examples:,} scores"))
    listed = ", ".join(f"{name}={value!r}" for name, value in record.parameters.items() if value is not None)
    facts.append(("parameters", listed or "none"))
    out = console()
    print_facts(out, facts)
    if record.features.report:
        from rosenblatt.cli.look import print_columns

        out.print("\ncolumns", style="bold")
        print_columns(out, record.features)
    if KINDS[record.estimator].is_linear:
        out.print("\ntop weights", style="bold")
        print_weights(out, record, top)
    elif KINDS[record.estimator].is_circuit:
        echo(f"\n{record.fitted['circuit']}")


def _in_words(proof: "Certificate") -> str:
    """The claim of a certificate and the size of its proof, in words."""
    claim = proof.claim
    against = "all others" if claim["negative"] is None else claim["negative"]
    if proof.separable:
        what = "separable: a hyperplane in whole numbers"
    else:
        kind = "separable only with examples on the plane" if proof.kind == "weak" else "not separable"
        what = f"{kind}: {len(claim['witness']['indices'])} examples that no hyperplane separates"
    return f"{claim['positive']} against {against}, {what} (load(…).certificates_ has it, and verify(X, y) checks it)"


def _features(record: "Record") -> str:
    features = record.features
    parts = [f"{features.n_features:,} from {'an array' if features.kind == 'array' else features.kind}"]
    categories = sum(column.vocabulary is not None for column in features.columns)
    if categories:
        parts.append(f"{len(features.columns)} columns, {categories} of them categories")
    texts = sum(column.is_text for column in features.columns)
    if texts:
        parts.append(f"the words of {texts} column{'s' if texts > 1 else ''} hashed")
    if any(column.fill is not None for column in features.columns):
        parts.append("missing values filled")
    if features.interactions:
        parts.append(f"{features.n_features - features.n_inputs:,} of them interactions")
    if features.scale is not None:
        parts.append("scaled")
    if features.kind == "svmlight":
        parts.append(f"indices from {0 if features.zero_based else 1}")
    return ", ".join(parts)


def _as_dict(record: "Record", top: int) -> dict[str, object]:
    from rosenblatt.cli.output.printing import plain, weights_as_dict

    fitted = record.fitted
    counts = ("status_", "statuses_", "cycle_", "cycles_", "n_iter_", "n_mistakes_", "n_samples_seen_", "history_")
    return {
        "estimator": record.estimator,
        "parameters": {name: plain(value) for name, value in record.parameters.items()},
        "classes": record.classes.tolist(),
        "features": record.features.to_json(),
        "training": dict(record.training),
        "calibration": None if record.calibration is None else asdict(record.calibration),
        "ending": {name.removesuffix("_"): plain(fitted[name]) for name in counts if name in fitted},
        "certificates": [None if p is None else p.to_dict() for p in fitted.get("certificates_", ())],
        "circuit": fitted["circuit"].to_dict() if "circuit" in fitted else None,
    } | weights_as_dict(record, top)
