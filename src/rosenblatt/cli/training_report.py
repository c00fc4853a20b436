"""What `train` tells: how it ended, mistakes against the bound, accuracy, classes, weights."""

from typing import TYPE_CHECKING, Any

from rosenblatt.cli.printing import plain, print_assessment, print_facts, print_weights, weights_as_dict

if TYPE_CHECKING:
    from rich.console import Console

    from rosenblatt.data import Loaded
    from rosenblatt.models import Assessment, Trained

_TOP = 8


def as_dict(loaded: "Loaded", trained: "Trained", tested: "Assessment | None", way: str | None) -> dict[str, Any]:
    """The report as JSON has it."""
    record, fitted = trained.record, trained.record.fitted
    return {
        "source": loaded.name,
        "fingerprint": loaded.fingerprint,
        "notes": list(loaded.notes),
        "algorithm": record.estimator,
        "parameters": {name: plain(value) for name, value in record.parameters.items()},
        "n_features": record.features.n_features,
        "classes": record.classes.tolist(),
        "ending": {
            "status": fitted["status_"],
            "statuses": list(fitted["statuses_"]),
            "cycle": fitted["cycle_"],
            "epochs": fitted["n_iter_"],
            "mistakes": fitted["n_mistakes_"],
            "mistake_bound": trained.bound,
            "examples_presented": fitted["n_samples_seen_"],
            **_shards(trained),
        },
        "training": None if trained.on_training is None else trained.on_training.to_dict(),
        "test": None if tested is None else {"examples_from": way, **tested.to_dict()},
        "cross_validation": list(trained.folds) or None,
    } | weights_as_dict(record, _TOP)


def print_report(
    out: "Console", loaded: "Loaded", trained: "Trained", tested: "Assessment | None", way: str | None
) -> None:
    """The report for people."""
    from rosenblatt.models.registry import KINDS

    record, fitted = trained.record, trained.record.fitted
    facts = [
        ("data", f"{loaded.name}: {loaded.n_examples:,} examples, {record.features.n_features:,} features"),
        ("model", _model(record.estimator, record.parameters, len(record.classes))),
        ("ended", _ending(fitted)),
        ("mistakes", _mistakes(trained)),
        ("epochs", f"{fitted['n_iter_']:,} ({fitted['n_samples_seen_']:,} examples presented)"),
    ]
    if trained.on_training is not None:
        facts.append(("training", _accuracy(trained.on_training)))
    if tested is not None:
        facts.append(("test", f"{_accuracy(tested)}, {way}"))
    elif not trained.folds:
        facts.append(("test", "none: too few examples to hold some out, or not asked for (--holdout, --test, --cv)"))
    if trained.folds:
        mean = sum(trained.folds) / len(trained.folds)
        spread = (sum((a - mean) ** 2 for a in trained.folds) / len(trained.folds)) ** 0.5
        facts.append(("folds", f"{mean:.2%} ± {spread:.2%} over {len(trained.folds)} folds"))
    print_facts(out, facts)
    shown = tested or trained.on_training
    if shown is not None:
        out.print()
        print_assessment(out, shown)
    if KINDS[record.estimator].is_linear:
        out.print("\ntop weights", style="bold")
        print_weights(out, record, _TOP)


def _model(name: str, parameters: Any, n_classes: int) -> str:
    from rosenblatt.estimators.direct import DEFAULTS

    told = {k: v for k, v in parameters.items() if k in DEFAULTS and v != DEFAULTS[k]}
    ways = {"ova": "one against all others", "ovo": "one against one", "joint": "learned jointly"}
    rule = ways.get(parameters.get("multi_class"), "")
    many = f", {n_classes} classes, {rule}" if n_classes > 2 else ", 2 classes"
    return name + (f"({', '.join(f'{k}={v!r}' for k, v in told.items())})" if told else "") + many


def _shards(trained: "Trained") -> dict[str, Any]:
    """What a run over shards tells besides; nothing of a run on one machine."""
    names = {"shards": "n_shards", "weighted_mistakes": "weighted_mistakes"}
    return {told: getattr(trained, name) for told, name in names.items() if hasattr(trained, name)}


def _ending(fitted: Any) -> str:
    from rosenblatt.estimators.endings import MEANING

    status = fitted["status_"]
    period = f", period {fitted['cycle_']} epochs" if fitted["cycle_"] else ""
    share = ""
    if len(fitted["statuses_"]) > 1:
        counts = {s: fitted["statuses_"].count(s) for s in dict.fromkeys(fitted["statuses_"])}
        share = " (problems: " + ", ".join(f"{n} {s}" for s, n in counts.items()) + ")"
    return f"{status}: {MEANING[status]}{period}{share}"


def _mistakes(trained: "Trained") -> str:
    count = f"{trained.record.fitted['n_mistakes_']:,}"
    shards = _shards(trained)
    if shards:  # where the theorem bounds the mistakes as mixed
        count += f" in {shards['shards']} shards, {shards['weighted_mistakes']:,.1f} as mixed"
    if trained.bound is None:
        return count
    if shards:
        return f"{count}; no mixed run from zero can make more than {trained.bound:,.0f}, (R/γ)² with this margin"
    return f"{count}; no run from zero can make more than {trained.bound:,.0f}, (R/γ)² with this separator's margin"


def _accuracy(assessment: "Assessment") -> str:
    return f"{assessment.accuracy:.2%} right ({assessment.n_errors:,} of {assessment.n_examples:,} wrong)"
