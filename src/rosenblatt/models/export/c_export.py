"""Export as one C99 header without dependencies and allocation. It maps features to the index of a class."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import __version__
from rosenblatt.data import DataError, Features
from rosenblatt.models.export import kernel_export
from rosenblatt.models.export.c_calibration import probabilities_function
from rosenblatt.models.export.c_code import check_identifier, comment, numbers, scores_function, string
from rosenblatt.models.export.exportable import refuse_hashed
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import KINDS
from rosenblatt.models.files.saving import record_of

_INT = 2**63

_NAN_CHECK = [
    "#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__",
    '#error "compile without -ffast-math and -ffinite-math-only, which remove the tests for NaN"',
    "#endif",
    "#include <math.h>",
    "",
]


def to_c(model: Any, name: str = "model") -> str:
    """Returns a C header with the weights of a model, `NAME_predict(const double *x)`, `NAME_scores`, `NAME_classes`.

    A calibrated model also has `NAME_probabilities(const double *x, double *probabilities)`.
    x has the features in the order of the model file; the C code fills gaps and scales. A category is 1 or 0 in each of
    its features; a date is its year, month and so on. A gap is NaN or infinity in each feature of its column; the
    features that flag gaps need not be set.
    If the model has no fill value for a gap, `NAME_predict` returns -1 and all scores are NaN.

    Examples
    --------
    >>> from rosenblatt import Perceptron, models
    >>> header = models.to_c(Perceptron(order="cyclic").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]), "and_gate")
    >>> "and_gate_predict(const double *x)" in header
    True
    """
    check_identifier(name)
    record = model if isinstance(model, Record) else record_of(model)
    refuse_hashed(record.features, "C")
    if KINDS[record.estimator].is_circuit:
        body = _circuit(record.fitted["circuit"], name)
    elif record.estimator == "VotedPerceptron":
        body = _prepared(record, name) + _voted(record, name) + _decision(record, name)
    elif KINDS[record.estimator].is_linear:
        body = _prepared(record, name) + _linear(record, name) + _decision(record, name)
    elif record.estimator == "KernelPerceptron":
        body = _prepared(record, name) + kernel_export.c_scores(record, name) + _decision(record, name)
    else:
        raise DataError(f"a {record.estimator} cannot be written as C yet; save it as a model file.")
    if record.calibration is not None:
        body += probabilities_function(record, record.calibration, name)
    guard = f"{name.upper()}_H"
    return "\n".join(
        [
            f"/* {record.estimator}, {record.features.n_features} features; written by rosenblatt {__version__}. */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            *_NAN_CHECK,
            *_classes(record, name),
            *body,
            f"#endif /* {guard} */",
            "",
        ]
    )


def _classes(record: Record, name: str) -> list[str]:
    upper, classes = name.upper(), record.classes.tolist()
    width = record.features.n_inputs
    lines = [f"#define {upper}_FEATURES {width}", f"#define {upper}_CLASSES {len(classes)}", ""]
    if width <= 1000:
        lines += ["/* features: " + ", ".join(comment(text) for text in record.features.names()[:width]) + " */", ""]
    texts = ", ".join(string(str(label)) for label in classes)
    lines += ["/* the classes, by the index that predict returns */"]
    lines += [f"static const char *const {name}_classes[{len(classes)}] = {{{texts}}};", ""]
    return lines


def _prepared(record: Record, name: str) -> list[str]:
    """The C functions for feature j of x, filled and scaled, and for whether every gap of x has a fill value."""
    fills, scale = record.features.fills(), record.features.scale
    filled = ~np.isnan(fills)
    lines: list[str] = []
    steps = ["    double v = x[j];"]
    products = record.features.products()
    flags = _flags(record.features)
    if (flags >= 0).any():
        lines += ["/* the feature whose gap feature j flags, or -1 */", *numbers(flags, "long", f"{name}_flags")]
        steps.append(f"    if ({name}_flags[j] >= 0) v = !isfinite(x[{name}_flags[j]]);")
    if filled.any():
        lines += numbers(np.where(filled, fills, 0.0), "double", f"{name}_fill")
        steps.append(f"    if (!isfinite(v)) v = {name}_fill[j];")
    if record.features.interactions:
        lines += [f"static inline double {name}_input(const double *x, long j) {{", *steps, "    return v;", "}"]
        lines += ["/* the two factors of each interaction, which follow the features of x */"]
        lines += numbers(np.column_stack(products), "long", f"{name}_factors")
        places = [f"{name}_factors[2 * (j - {len(fills)}){plus}]" for plus in ("", " + 1")]
        steps = [
            "    double v;",
            f"    if (j < {len(fills)}) v = {name}_input(x, j);",
            f"    else v = {name}_input(x, {places[0]}) * {name}_input(x, {places[1]});",
        ]
    if scale is not None:
        if scale.centre is not None:
            lines += numbers(scale.centre, "double", f"{name}_centre")
            steps.append(f"    v -= {name}_centre[j];")
        lines += numbers(scale.width, "double", f"{name}_width")
        steps.append(f"    v /= {name}_width[j];")
    lines += [f"static inline double {name}_feature(const double *x, long j) {{", *steps, "    return v;", "}", ""]
    gap = "!isfinite(x[j])"
    if filled.any():
        lines += numbers(filled.astype(np.int64), "char", f"{name}_filled")
        gap += f" && !{name}_filled[j]"
    if (flags >= 0).any():
        gap = f"{name}_flags[j] < 0 && {gap}"
    return [
        *lines,
        "/* whether every feature is finite or has a fill value; a missing category is NaN in each of its features */",
        f"static inline int {name}_complete(const double *x) {{",
        "    long j;",
        f"    for (j = 0; j < {len(fills)}; ++j)",
        f"        if ({gap}) return 0;",
        "    return 1;",
        "}",
        "",
    ]


def _flags(features: Features) -> NDArray[np.int64]:
    """For each feature that flags gaps, the first feature of its column; -1 for all other features."""
    flags = np.full(features.n_inputs, -1, dtype=np.int64)
    first = 0
    for column in features.columns:
        if column.gap:
            flags[first + column.width - 1] = first
        first += column.width
    return flags


def _linear(record: Record, name: str) -> list[str]:
    coef, intercept = (np.asarray(record.fitted[key], dtype=np.float64) for key in ("coef_", "intercept_"))
    problems, width = coef.shape
    body = [
        "    long j;",
        f"    for (p = 0; p < {problems}; ++p) scores[p] = 0;",
        f"    for (j = 0; j < {width}; ++j) {{",
        f"        const double v = {name}_feature(x, j);",
        f"        for (p = 0; p < {problems}; ++p) scores[p] += {name}_weights[p * {width} + j] * v;",
        "    }",
        f"    for (p = 0; p < {problems}; ++p) scores[p] += {name}_offsets[p];",
    ]
    return [
        *numbers(coef, "double", f"{name}_weights"),
        *numbers(intercept, "double", f"{name}_offsets"),
        *scores_function(name, "one score per binary problem", problems, body),
    ]


def _voted(record: Record, name: str) -> list[str]:
    fitted, width = record.fitted, record.features.n_features
    vectors = fitted["support_vectors_"]
    dense = np.asarray(vectors.toarray() if hasattr(vectors, "toarray") else vectors, dtype=np.float64)
    offset = bool(record.parameters["fit_intercept"])
    ends = np.cumsum([0, *(len(updates) for updates in fitted["updates_"])])
    problems = len(fitted["updates_"])
    positive = ">= 0" if record.parameters.get("tie") == "positive" else "> 0"
    starts = fitted["starts_"]
    body = [
        f"    double products[{max(len(dense), 1)}];",
        "    long i, j, m;",
        f"    for (i = 0; i < {len(dense)}; ++i) {{",
        f"        products[i] = {1.0 if offset else 0.0};",
        f"        for (j = 0; j < {width}; ++j) products[i] += {name}_support[i * {width} + j] * {name}_feature(x, j);",
        "    }",
        f"    for (p = 0; p < {problems}; ++p) {{",
        f"        const double *survival = {name}_survival + {name}_ends[p] + p;",
        f"        double s = {name}_start_offsets[p], votes, total;",
        f"        for (j = 0; j < {width}; ++j) s += {name}_starts[p * {width} + j] * {name}_feature(x, j);",
        "        total = survival[0];",
        f"        votes = s {positive} ? survival[0] : -survival[0];",
        f"        for (m = {name}_ends[p]; m < {name}_ends[p + 1]; ++m) {{",
        f"            const double lived = survival[m - {name}_ends[p] + 1];",
        f"            s += {name}_scales[m] * products[{name}_updates[m]];",
        "            total += lived;",
        f"            votes += s {positive} ? lived : -lived;",
        "        }",
        "        scores[p] = votes / total;",
        "    }",
    ]
    return [
        *numbers(dense, "double", f"{name}_support"),
        *numbers(starts[:, offset:], "double", f"{name}_starts"),
        *numbers(starts[:, 0] if offset else np.zeros(problems), "double", f"{name}_start_offsets"),
        *numbers(np.concatenate(fitted["updates_"]), "long", f"{name}_updates"),
        *numbers(np.concatenate(fitted["scales_"]), "double", f"{name}_scales"),
        *numbers(np.concatenate(fitted["survival_"]), "double", f"{name}_survival"),
        *numbers(ends, "long", f"{name}_ends"),
        *scores_function(name, "the share of votes for, minus that against, in each binary problem", problems, body),
    ]


def _decision(record: Record, name: str) -> list[str]:
    k = len(record.classes)
    positive = ">= 0" if record.parameters.get("tie") == "positive" else "> 0"
    lines = [
        *_contract(name, "NaN or infinite and has no fill value"),
        f"static inline int {name}_predict(const double *x) {{",
        f"    double scores[{name.upper()}_SCORES];",
    ]
    call = f"    if (!{name}_complete(x)) return -1;\n    {name}_scores(x, scores);"
    if k == 2:
        return [*lines, call, f"    return scores[0] {positive};", "}", ""]
    best = [
        "    for (c = 1; c < " + str(k) + "; ++c)",
        "        if (votes[c] > votes[best]) best = c;",
        "    return best;",
        "}",
        "",
    ]
    if record.parameters.get("multi_class") != "ovo":
        return [*lines, "    const double *votes = scores;", "    int c, best = 0;", call, *best]
    pairs = np.array(list(combinations(range(k), 2)))
    return [
        *numbers(pairs, "int", f"{name}_pairs"),
        *lines,
        f"    double votes[{k}] = {{0}}, sums[{k}] = {{0}};",
        "    int c, p, best = 0;",
        call,
        f"    for (p = 0; p < {len(pairs)}; ++p) {{",
        f"        const int a = {name}_pairs[2 * p], b = {name}_pairs[2 * p + 1];",
        f"        votes[scores[p] {positive} ? b : a] += 1;",
        "        sums[b] += scores[p];",
        "        sums[a] -= scores[p];",
        "    }",
        f"    for (c = 0; c < {k}; ++c) votes[c] += sums[c] / (2 * ((sums[c] < 0 ? -sums[c] : sums[c]) + 1));",
        *best,
    ]


def _contract(name: str, refused: str) -> list[str]:
    return [f"/* the index of the class in {name}_classes; -1, and no class, where a feature is {refused} */"]


def _circuit(circuit: Any, name: str) -> list[str]:
    """The predict function of a circuit. It computes in integers, so it is exact."""
    units = [*circuit.hidden, circuit.output] if hasattr(circuit, "hidden") else [circuit]
    if any(sum(map(abs, unit.integers)) >= _INT for unit in units):
        raise DataError("a unit has weights beyond 64 bits, which C's whole numbers do not hold.")
    lines = [*_contract(name, "neither 0 nor 1"), f"static inline int {name}_predict(const double *x) {{"]
    if circuit.n_variables:
        lines += ["    long j;", f"    for (j = 0; j < {circuit.n_variables}; ++j)"]
        lines += ["        if (x[j] != 0 && x[j] != 1) return -1;"]
    values = [f"(x[{j}] != 0)" for j in range(circuit.n_variables)]
    if hasattr(circuit, "hidden"):
        for j, unit in enumerate(circuit.hidden):
            lines.append(f"    const int h{j} = {_fires(unit, values)};")
        values, circuit = [f"h{j}" for j in range(len(circuit.hidden))], circuit.output
    lines.append("    (void)x;")
    return [*lines, f"    return {_fires(circuit, values)};", "}", ""]


def _fires(unit: Any, values: list[str]) -> str:
    offset, *weights = unit.integers
    terms = [f"{w}LL * {value}" for w, value in zip(weights, values, strict=True) if w]
    return f"{' + '.join([f'{offset}LL', *terms])} {'>=' if unit.tie == 'positive' else '>'} 0"
