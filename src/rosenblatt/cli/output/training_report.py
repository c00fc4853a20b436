"""The report of `train`: ending, mistakes and their bound, accuracy, classes, weights."""

from typing import TYPE_CHECKING, Any

from rosenblatt.cli.output.printing import counted, plain, print_assessment, print_facts, print_weights, weights_as_dict

if TYPE_CHECKING:
    from rich.console import Console

    from rosenblatt.models import Assessment, Trained
    from rosenblatt.models.training.evaluation.verdict import Verdict

_TOP = 8
_MOST_COLUMNS = 40  # for more columns, only `inspect` and `look` show the list


def as_dict(trained: "Trained", tested: "Assessment | None", way: str | None) -> dict[str, Any]:
    """The report as a dictionary for JSON."""
    record, fitted = trained.record, trained.record.fitted
    return {
        "source": record.training["source"],
        "fingerprint": record.training["fingerprint"],
        "notes": list(trained.notes),
        "algorithm": record.estimator,
        "chosen": trained.why or None,
        "parameters": {name: plain(value) for name, value in record.parameters.items()},
        "n_features": record.features.n_features,
        "columns": [entry.to_json() for entry in record.features.report],
        "classes": record.classes.tolist(),
        "ending": {
            "status": fitted["status_"],
            "statuses": list(fitted["statuses_"]),
            "cycle": fitted.get("cycle_"),
            "epochs": fitted["n_iter_"],
            "mistakes": fitted["n_mistakes_"],
            "mistake_bound": None if trained.verdict is None else trained.verdict.bound,
            "examples_presented": fitted.get("n_samples_seen_"),
            **_shards(trained),
        },
        "separability": None if trained.verdict is None else trained.verdict.to_dict(),
        "training": None if trained.on_training is None else trained.on_training.to_dict(),
        "test": None if tested is None else {"examples_from": way, **tested.to_dict()},
        "cross_validation": list(trained.folds) or None,
        "scaled": record.features.scale is not None,
        "calibrated_on": None if record.calibration is None else record.calibration.held_out,
        "tried": None
        if trained.search is None
        else [{"setting": each.setting, "accuracy": each.accuracy} for each in trained.search.tried],
    } | weights_as_dict(record, _TOP)


def print_report(out: "Console", trained: "Trained", tested: "Assessment | None", way: str | None, check: str) -> None:
    """Prints the report. `check` is the command that proves whether the examples of the file are separable."""
    from rosenblatt.models.files.registry import KINDS

    record, fitted = trained.record, trained.record.fitted
    source, features = record.training["source"], record.features.n_features
    facts = [
        ("data", f"{source}: {counted(trained.n_examples, 'example')}, {counted(features, 'feature')}"),
        ("model", _model(record.estimator, record.parameters, len(record.classes))),
    ]
    scale = record.features.scale
    if scale is not None:
        how = "divided by their largest magnitudes" if scale.centre is None else "standardised"
        facts.append(("scale", f"columns {how} (--no-scale leaves them as they are)"))
    if trained.why:
        facts.append(("chosen", trained.why))
    if trained.search is not None:
        tried = [f"{each.setting} {each.accuracy:.1%}" for each in trained.search.tried]
        more = len(tried) - _TOP
        rest = [f"and {more} others (--json lists all)"] if more > 0 else []
        facts.append(("tried", "; ".join(tried[:_TOP] + rest)))
    facts += [
        ("ended", ending_in_words(fitted)),
        ("mistakes", _mistakes(trained)),
        ("epochs", f"{fitted['n_iter_']:,}{_presented(fitted)}"),
    ]
    if trained.verdict is not None:
        facts.append(("verdict", _verdict(trained, trained.verdict, check)))
    if trained.on_training is not None:
        facts.append(("training", _accuracy(trained.on_training)))
    if tested is not None:
        facts.append(("test", f"{_accuracy(tested)}, {way}"))
    elif not trained.folds:
        facts.append(("test", "none: too few examples to hold some out, or not asked for (--holdout, --test, --cv)"))
    if record.calibration is not None:
        loss = "" if tested is None or tested.log_loss is None else f"; log loss {tested.log_loss:.4f}, {way}"
        facts.append(("probability", f"calibrated on {record.calibration.held_out} (predict --proba){loss}"))
    hint = _hint(trained)
    if trained.folds:
        mean = sum(trained.folds) / len(trained.folds)
        spread = (sum((a - mean) ** 2 for a in trained.folds) / len(trained.folds)) ** 0.5
        facts.append(("folds", f"{mean:.2%} ± {spread:.2%} over {len(trained.folds)} folds"))
    if hint:
        facts.append(("try", hint))
    print_facts(out, facts)
    if record.features.report and len(record.features.report) <= _MOST_COLUMNS:
        from rosenblatt.cli.look import print_columns

        out.print("\ncolumns", style="bold")
        print_columns(out, record.features)
    shown = tested or trained.on_training
    if shown is not None:
        out.print()
        print_assessment(out, shown)
    if KINDS[record.estimator].is_linear:
        out.print("\ntop weights", style="bold")
        print_weights(out, record, _TOP)


def _model(name: str, parameters: Any, n_classes: int) -> str:
    from rosenblatt.learning.parameters import TABLE

    changed = {k: v for k, v in parameters.items() if k in TABLE and v != TABLE[k].default}
    ways = {"ova": "one against all others", "ovo": "one against one", "joint": "learned jointly"}
    rule = ways.get(parameters.get("multi_class"), "")
    many = f", {n_classes} classes, {rule}" if n_classes > 2 else ", 2 classes"
    return name + (f"({', '.join(f'{k}={v!r}' for k, v in changed.items())})" if changed else "") + many


def _shards(trained: "Trained") -> dict[str, Any]:
    """The additional counts of a run over shards; empty for a local run."""
    shards = trained.shards
    return {} if shards is None else {"shards": shards.n_shards, "weighted_mistakes": shards.weighted_mistakes}


def ending_in_words(fitted: Any) -> str:
    """The ending of a run, described in terms of command line options."""
    from rosenblatt.learning.status import MEANING

    status = fitted["status_"]
    period = f", period {fitted['cycle_']} epochs" if fitted.get("cycle_") else ""
    share = ""
    if len(fitted["statuses_"]) > 1:
        counts = {s: fitted["statuses_"].count(s) for s in dict.fromkeys(fitted["statuses_"])}
        share = " (problems: " + ", ".join(f"{n} {s}" for s, n in counts.items()) + ")"
    return f"{status}: {_MEANING.get(status) or MEANING[status]}{period}{share}"


#: Descriptions of endings that name command line options instead of parameters and attributes.
_MEANING = {
    "inseparable": "no hyperplane separates these examples",
    "error_reached": "the errors of an epoch came down to --max-error",
    "unchanged": "the weights did not change for as many examples as patience allows",
    "max_iter": "the limit of epochs was reached (--max-iter)",
    "partial": "learned in parts",
}


def _presented(fitted: Any) -> str:
    return f" ({fitted['n_samples_seen_']:,} examples presented)" if "n_samples_seen_" in fitted else ""


def _mistakes(trained: "Trained") -> str:
    count, verdict = f"{trained.record.fitted['n_mistakes_']:,}", trained.verdict
    shards = _shards(trained)
    if shards:  # the theorem bounds the mistakes weighted by μ
        count += f" in {shards['shards']} shards, {shards['weighted_mistakes']:,.1f} as mixed"
    if verdict is None or verdict.bound is None:
        return count
    margin = "the widest margin there is" if verdict.is_exact else "this separator's margin"
    if shards:
        return f"{count}; no mixed run from zero can make more than {verdict.bound:,.0f}, (R/γ)² with {margin}"
    return f"{count}; no run from zero can make more than {verdict.bound:,.0f}, (R/γ)² with {margin}"


def _proof(trained: "Trained", check: str) -> str:
    """The command that prints the proof; empty if there is none.

    Scaling moves the origin, so without an offset the file's raw values do not decide the scaled problem.
    """
    through_origin = not trained.record.parameters["fit_intercept"]
    if not check or (through_origin and trained.record.features.scale is not None):
        return ""
    command = check + (" --no-offset" if through_origin else "")
    return f" (proof: {command})" if trained.held is None else f" (all examples, held out or not: {command})"


def _verdict(trained: "Trained", verdict: "Verdict", check: str) -> str:
    proof = _proof(trained, check)
    if verdict.problems == 1:
        if verdict.separable:
            return "linearly separable" + (proof if verdict.is_exact else "")
        return f"not linearly separable{proof}" if verdict.inseparable else "undecided whether linearly separable"
    undecided = verdict.problems - verdict.separable - verdict.inseparable
    rest = f", {undecided} undecided" if undecided else ""
    what = "pairs of classes are linearly separable" if verdict.by_pairs else "classes are separable from all others"
    return f"{verdict.separable} of {verdict.problems} {what}{rest}{proof}"


def _hint(trained: "Trained") -> str:
    """Suggested options after a run that did not separate the examples."""
    record, verdict = trained.record, trained.verdict
    if record.fitted["status_"] in ("separated", "error_reached", "unchanged", "early_stopped"):
        return ""
    hints = []
    if trained.scales_differ:
        hints.append("--scale, since the columns differ in size by orders of magnitude")
    separable = verdict is not None and verdict.separable == verdict.problems
    if separable and record.estimator != "Perceptron":
        hints.append("--algorithm Perceptron, which without --max-iter goes on until it separates or stalls")
    elif not separable and record.estimator in ("Perceptron", "BatchPerceptron", "compat.Perceptron"):
        hints.append("--algorithm AveragedPerceptron, for examples that no hyperplane separates")
    if verdict is not None and verdict.inseparable and record.estimator != "KernelPerceptron":
        hints.append("--algorithm KernelPerceptron, if the boundary is curved")
    if separable and record.estimator == "Perceptron" and record.fitted["status_"] == "stalled":
        hints.append(f"--max-iter {10 * record.fitted['n_iter_']}, since a run with a limit does not stall before it")
    if record.fitted["status_"] == "max_iter" and not hints and not (verdict and verdict.inseparable):
        hints.append(f"--max-iter {10 * record.parameters['max_iter']}, since the limit was reached")
    return "; ".join(hints)


def _accuracy(assessment: "Assessment") -> str:
    return f"{assessment.accuracy:.2%} right ({assessment.n_errors:,} of {assessment.n_examples:,} wrong)"
