"""Models as C: one header, C99, no dependency, no allocation; features in, the place of the class out."""

from itertools import combinations
from typing import Any

import numpy as np

from rosenblatt.core import __version__
from rosenblatt.data import DataError
from rosenblatt.models import kernel_export
from rosenblatt.models.c_code import check_identifier, comment, numbers, scores_function, string
from rosenblatt.models.exportable import refuse_hashed
from rosenblatt.models.record import Record
from rosenblatt.models.registry import KINDS
from rosenblatt.models.saving import record_of

_INT = 2**63

_SEES_GAPS = [
    "#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__",
    '#error "compile without -ffast-math and -ffinite-math-only, with which a gap (NaN) is not seen"',
    "#endif",
    "#include <math.h>",
    "",
]


def to_c(model: Any, name: str = "model") -> str:
    """A header with the weights of a model, `NAME_predict(const double *x)`, `NAME_scores` and `NAME_classes`.

    x are the features in the order of the model file, as they stand before filling and scaling, which the code does.
    NaN or infinity is a gap. Where the model has no filling for it, `NAME_predict` returns -1 and all scores are NaN.

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
    guard = f"{name.upper()}_H"
    return "\n".join(
        [
            f"/* {record.estimator}, {record.features.n_features} features; written by rosenblatt {__version__}. */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            *_SEES_GAPS,
            *_classes(record, name),
            *body,
            f"#endif /* {guard} */",
            "",
        ]
    )


def _classes(record: Record, name: str) -> list[str]:
    upper, classes = name.upper(), record.classes.tolist()
    lines = [f"#define {upper}_FEATURES {record.features.n_features}", f"#define {upper}_CLASSES {len(classes)}", ""]
    if record.features.n_features <= 1000:
        lines += ["/* features: " + ", ".join(comment(text) for text in record.features.names()) + " */", ""]
    texts = ", ".join(string(str(label)) for label in classes)
    lines += ["/* the classes, by the places that predict gives */"]
    lines += [f"static const char *const {name}_classes[{len(classes)}] = {{{texts}}};", ""]
    return lines


def _prepared(record: Record, name: str) -> list[str]:
    """The feature j of x, filled and scaled; and whether every gap of x has a filling."""
    fills, scale = record.features.fills(), record.features.scale
    filled = ~np.isnan(fills)
    lines: list[str] = []
    steps = ["    double v = x[j];"]
    if filled.any():
        lines += numbers(np.where(filled, fills, 0.0), "double", f"{name}_fill")
        steps.append(f"    if (!isfinite(v)) v = {name}_fill[j];")
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
    return [
        *lines,
        "/* whether every feature is finite or has a filling; a missing category is NaN in each of its features */",
        f"static inline int {name}_complete(const double *x) {{",
        "    long j;",
        f"    for (j = 0; j < {len(fills)}; ++j)",
        f"        if ({gap}) return 0;",
        "    return 1;",
        "}",
        "",
    ]


def _linear(record: Record, name: str) -> list[str]:
    coef, intercept = (record.fitted[key].astype(np.float64) for key in ("coef_", "intercept_"))
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
        *scores_function(name, "one score a binary problem", problems, body),
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
        *_contract(name, "NaN or infinite and has no filling"),
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
    return [f"/* the place of the class in {name}_classes; -1, and no class, where a feature is {refused} */"]


def _circuit(circuit: Any, name: str) -> list[str]:
    """Whole numbers throughout: exact."""
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
