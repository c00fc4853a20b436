"""Exported models at work: ONNX run by onnxruntime, C compiled by gcc and by clang with warnings as errors."""

import subprocess
import warnings
from operator import attrgetter

import numpy as np
import onnxruntime

import rosenblatt
from tests.programs import program

BUILDS = [(compiler, standard) for compiler in ("gcc", "clang") for standard in ("c99", "c11")]

#: What the C program below prints for an example that has a gap.
GAP = "<gap>"

_STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wtrigraphs", "-O1"]

_MAIN = """#include <stdio.h>
#include "model.h"
int main(void) {
    double x[MODEL_FEATURES + 1];
    for (;;) {
        long j;
        int place;
        for (j = 0; j < MODEL_FEATURES; ++j)
            if (scanf("%lf", &x[j]) != 1) return 0;
        place = model_predict(x);
        printf("%s%c", place < 0 ? "<gap>" : model_classes[place], 0);
    }
}
"""


def fitted(name, X, y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return attrgetter(name)(rosenblatt)(max_iter=20, **parameters).fit(X, y)


def run_onnx(model, inputs, output="label"):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run([output], inputs)[0]


def labels_by_c(header, X, folder, build=BUILDS[0]):
    """The labels that the header's code gives the rows; `GAP` for a row that it refuses."""
    (folder / "model.h").write_bytes(header.encode())
    (folder / "main.c").write_text(_MAIN)
    compiled(folder, build, "main.c", "-o", "main", "-lm")
    rows = "\n".join(" ".join(repr(float(v)) for v in row) for row in X)
    out = subprocess.run([folder / "main"], input=rows.encode(), capture_output=True, check=True).stdout
    return out.decode().split("\0")[:-1]


def compiled(folder, build, *arguments):
    """Compiles in this folder, with every warning an error."""
    compiler, standard = build
    subprocess.run([program(compiler), f"-std={standard}", *_STRICT, *arguments], check=True, cwd=folder)


def with_gaps(X, rng, share=0.3):
    """A copy in which some values are NaN or infinite."""
    gaps = rng.random(X.shape)
    return np.where(gaps < share / 2, np.nan, np.where(gaps < share, rng.choice([-np.inf, np.inf], X.shape), X))
