"""The C function that computes the probabilities of a calibrated model."""

import numpy as np

from rosenblatt.learning.scores.calibration import Calibration
from rosenblatt.models.export.c_code import numbers
from rosenblatt.models.files.record import Record


def probabilities_function(record: Record, calibration: Calibration, name: str) -> list[str]:
    """The function NAME_probabilities, as in `learning.scores.calibration`. It calls NAME_scores."""
    k = len(record.classes)
    if k == 2:
        logits = ["    logits[0] = 0;", "    logits[1] = scores[0];"]
    elif record.parameters.get("multi_class") == "ovo":
        logits = [
            f"    for (c = 0; c < {k}; ++c) logits[c] = HUGE_VAL;",
            f"    for (p = 0; p < {name.upper()}_SCORES; ++p) {{",
            f"        double *first = logits + {name}_pairs[2 * p], *second = logits + {name}_pairs[2 * p + 1];",
            "        if (!(-scores[p] >= *first)) *first = -scores[p];",
            "        if (!(scores[p] >= *second)) *second = scores[p];",
            "    }",
        ]
    else:
        logits = [f"    for (c = 0; c < {k}; ++c) logits[c] = scores[c];"]
    counter = ["    int p;"] if record.parameters.get("multi_class") == "ovo" and k > 2 else []
    return [
        *numbers(np.array(calibration.offsets), "double", f"{name}_calibration"),
        "/* the probability of each class; all are NaN where x has a gap without a fill value (link with -lm) */",
        f"static inline void {name}_probabilities(const double *x, double *probabilities) {{",
        f"    double scores[{name.upper()}_SCORES], logits[{k}] = {{0}}, largest, sum = 0;",
        "    int c;",
        *counter,
        f"    {name}_scores(x, scores);",
        *logits,
        f"    for (c = 0; c < {k}; ++c) logits[c] = {calibration.slope!r} * logits[c] + {name}_calibration[c];",
        "    largest = logits[0];",
        f"    for (c = 1; c < {k}; ++c)",
        "        if (logits[c] > largest) largest = logits[c];",
        f"    for (c = 0; c < {k}; ++c) sum += probabilities[c] = exp(logits[c] - largest);",
        f"    for (c = 0; c < {k}; ++c) probabilities[c] /= sum;",
        "}",
        "",
    ]
