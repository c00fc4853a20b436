"""The engine in the browser answers as the library does: runs and proofs bit for bit, tables, functions, kernels."""

import base64
import json
import os
import random
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import conventions
from rosenblatt.lab.jobs.service import Service
from tests.browser.conftest import wait_for_run

ALGORITHMS = ["perceptron", "margin", "pa", "pa1", "pa2", "pocket", "averaged", "batch"]
DIALECTS = ["L0", "L1", "L1_offset", "L2", "L3", "L4"]
EXHAUSTIVE = bool(os.environ.get("ROSENBLATT_EXHAUSTIVE"))


def ask(page, job, body):
    """A job's answer from the page's own engine."""
    page.wait_for_function("window.rosenblattLab?.store.state.catalogue")
    return page.evaluate(
        "async ([job, body]) => { try { return await rosenblattLab.transport.ask(job, body); }"
        " catch (error) { return { error: error.message }; } }",
        [job, body],
    )


def ask_all(page, requests):
    """The answers to many requests [job, body], in one call of the page."""
    page.wait_for_function("window.rosenblattLab?.store.state.catalogue")
    return page.evaluate(
        "async (requests) => { const found = []; for (const [job, body] of requests) {"
        " try { found.push(await rosenblattLab.transport.ask(job, body)); }"
        " catch (error) { found.push({ error: error.message }); } } return found; }",
        requests,
    )


def served(job, body):
    """The same from the library."""
    event, answer = Service().answer(job, json.dumps(body), lambda progress: None)
    answer = json.loads(answer)
    return answer if event == "answer" else {"error": answer["message"]}


def painted(seed):
    """A set of points as one would paint it, and a rule."""
    draw = random.Random(seed)
    n, classes, features = draw.randint(3, 24), draw.choice([2, 2, 2, 3, 4]), draw.choice([2, 2, 2, 3])
    value = (lambda: draw.randint(-3, 3)) if draw.random() < 0.6 else (lambda: round(draw.uniform(-5, 5), 2))
    x = [[value() for _ in range(features)] for _ in range(n)]
    y = [draw.randrange(classes) for _ in range(n)]
    if draw.random() < 0.5:
        w = [value() for _ in range(features)]
        y = [int(sum(a * b for a, b in zip(w, row, strict=True)) > 0) for row in x]
    if len(set(y)) < 2:
        y[0] = 1 - min(y[1], 1)
    rule = {
        "algorithm": draw.choice(ALGORITHMS), "fit_intercept": draw.random() < 0.75, "eta0": draw.choice([1, 0.5, 0.1]),
        "tie": draw.choice(["mistake", "positive", "negative"]), "error_tie": draw.choice([None, "mistake"]),
        "order": draw.choice(["cyclic", "shuffle", "misclassified"]), "init": draw.choice(["zeros", "random", "given"]),
        "start": [value() for _ in range(features + 1)], "multi_class": draw.choice(["ova", "ovo", "joint"]),
        "rivals": draw.choice(["best", "all"]), "init_scale": draw.choice([0.5, 0.1]),
        "random_state": draw.randint(0, 9), "margin": 1, "C": draw.choice([1, 0.5]), "ratchet": draw.random() < 0.5,
        "max_error": draw.choice([0, 0, 0.1]), "max_iter": draw.choice([None, None, 7]),
        "max_steps": draw.choice([50, 2000]), "patience": draw.choice([None, None, 30]),
    }  # fmt: skip
    return {"x": x, "y": y, "rule": rule}


def in_dialect(run, name):
    """The same points under a lecture's convention, in few steps."""
    return run | {
        "rule": run["rule"] | dict(getattr(conventions, name)) | {"algorithm": "perceptron", "max_steps": 150}
    }


def question(run):
    """Whether the last class can be told from the other, or from all others."""
    classes, rule = sorted(set(run["y"])), run["rule"]
    return {key: run[key] for key in ("x", "y")} | {
        "positive": classes[-1],
        "negative": classes[0] if len(classes) == 2 else None,
        "fit_intercept": rule["fit_intercept"],
        "start": rule["start"][1 - rule["fit_intercept"] :],
    }


def assert_same_run(mine, theirs, run):
    for answer in (mine, theirs):
        for problem in answer.get("problems", []):
            del problem["curve"]["loss"]  # a sum whose order of addition is NumPy's own
    assert mine == theirs, run


def assert_same_proof(mine, theirs, asked):
    assert mine["kind"] == theirs["kind"], asked
    for name, value in (theirs["margin"] or {}).items():
        exact = isinstance(value, str) or value is None
        assert mine["margin"][name] == (value if exact else pytest.approx(value, rel=1e-12, abs=1e-12)), name
    if mine["witness"]:
        check_witness(asked, mine["witness"])


def check_witness(asked, witness):
    """Σ λ·y·(1, x) = 0 with λ > 0, in fractions."""
    sums = [Fraction(0)] * (len(asked["x"][0]) + 1)
    for i, multiplier in zip(witness["indices"], witness["multipliers"], strict=True):
        assert int(multiplier) > 0
        signed = int(multiplier) * (1 if asked["y"][i] == asked["positive"] else -1)
        for j, value in enumerate([1, *asked["x"][i]]):
            sums[j] += signed * Fraction(value)
    assert all(total == 0 for total in sums[1 - asked["fit_intercept"] :])


def test_every_trace_and_every_verdict_on_painted_sets_is_that_of_the_library(site, open_page):
    """300 sets: each under a random rule and under every lecture's convention, and its proof."""
    kinds = compare_painted(open_page(site), range(5000 if EXHAUSTIVE else 300))
    assert kinds == {"separable", "weak", "inseparable"}


def test_the_file_from_disk_and_the_local_lab_find_the_same_traces_and_verdicts(one_file, lab, open_page):
    for address in (one_file, lab.address):
        compare_painted(open_page(address), range(300, 320))


def compare_painted(page, seeds):
    """Compares runs and proofs of painted sets with the library, and returns the verdicts."""
    wait_for_run(page)
    kinds = set()
    sets = [painted(seed) for seed in seeds]
    for first in range(0, len(sets), 50):  # an answer of the page has a few megabytes
        requests = []
        for run in sets[first : first + 50]:
            requests += [["run", run], *(["run", in_dialect(run, name)] for name in DIALECTS), ["proof", question(run)]]
        for (job, body), mine in zip(requests, ask_all(page, requests), strict=True):
            theirs = served(job, body)
            if job == "run":
                assert_same_run(mine, theirs, body)
            else:
                assert_same_proof(mine, theirs, body)
                kinds.add(theirs["kind"])
    return kinds


def test_networks_of_painted_sets_are_those_of_the_library(site, open_page):
    page = open_page(site)
    requests = []
    for seed in range(40):
        run = painted(seed)
        width = len(run["x"][0])
        plane = {"origin": [0.25] * width, "across": [1, *[0] * (width - 1)], "up": [0, 1, *[0] * (width - 2)]}
        grid = {"frame": [-5, 5, -4, 4], "size": [7, 6], "plane": plane}
        requests.append(["nonlinear", {"x": run["x"], "y": run["y"], "method": "network"} | grid])
    answers = ask_all(page, requests)
    for (job, body), mine in zip(requests, answers, strict=True):
        assert mine == served(job, body)
    assert any(len(answer.get("layers") or []) > 1 for answer in answers)


@pytest.mark.parametrize(
    "expression", ["a and b", "a xor b", "majority(a, b, c)", "a -> b <-> c", "a&&b||!c => d", "1", "not a"]
)
def test_boolean_functions_are_answered_as_in_the_library(site, open_page, expression):
    page = open_page(site)
    mine, theirs = ask(page, "boolean", {"expression": expression}), served("boolean", {"expression": expression})
    for key in ("variables", "bits", "rows", "is_threshold", "unit", "python"):
        assert mine[key] == theirs[key]
    assert mine["network"]["n_hidden"] == theirs["network"]["n_hidden"]
    assert mine["network"]["fewest"] == theirs["network"]["fewest"]


def test_every_transformed_network_and_unit_of_four_variables_computes_its_function(site, open_page):
    from rosenblatt.boolean import BooleanFunction

    page = open_page(site)
    draw = random.Random(5)
    for _ in range(40):
        bits = "".join(draw.choice("01") for _ in range(16))
        answer = ask(page, "boolean", {"table": bits, "variables": ["a", "b", "c", "d"]})
        assert answer["is_threshold"] == BooleanFunction.from_table(bits).is_threshold
        if answer["unit"]:
            assert "".join("1" if s + answer["unit"]["offset"] > 0 else "0" for s in answer["unit"]["sums"]) == bits
        else:
            sides = {side: answer["refutation"][side] for side in ("true", "false")}
            assert all(bits[row] == "1" for row, _ in sides["true"])
            assert all(bits[row] == "0" for row, _ in sides["false"])
            sums = [
                [sum(times * v for v in [answer["rows"][row][j]]) for row, times in side]
                for side in sides.values()
                for j in range(4)
            ]
            assert [sum(part) for part in sums[:4]] == [sum(part) for part in sums[4:]]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"expression": "a b"}, "an operator is missing before 'b' (character 3):\n  a b\n    ^"),
        ({"expression": "a and b and c and d and e"}, "up to 4"),
        ({"expression": "(a"}, "never closed"),
    ],
)
def test_a_bad_expression_is_refused_with_its_place(site, open_page, body, words):
    assert words in ask(open_page(site), "boolean", body)["error"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2,yes\n1,nan,no\n", "line 2, column 'column2': the value is missing"),
        ("a,b,c\n1,2,x\n2,3\n", "line 3: 2 columns where the header has 3"),
        ("", "is empty"),
        ("a,b,c\n1,oops,x\n2,3,y\n4,5,x\n", "'oops' is not a number"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(site, open_page, text, words):
    mine = ask(open_page(site), "text", {"text": text, "name": "pasted text"})
    assert words in mine["error"]
    assert words in served("text", {"text": text, "name": "pasted text"})["error"]


TABLES = [
    "5,7,+1\n2,6,-1\n",
    "label,a,b\nx,1,2\ny,2,3\n",
    "a;b;kind\n1;2;small\n3;4;large\n",
    "a,b,c\nu,2,x\nv,3,y\n",
    'a,b,c\n1,2,"<b>x</b>"\n2,3,y\n',
    'a,b,c\n1,2,"two\nlines"\n2,3,"a ""quoted"" word"\n',
    "a,b,c\ntrue,2,yes\nFALSE,3,no\n",
    "x;y;Klasse\n1,5;2;a\n2;3;b\n3,25;4;a\n",
    "1,5;2,5;a\n2,5;3,5;b\n",
    "x;y;Klasse\n1.234,5;12 €;a\n-2.000,25;7 €;b\n",
    'x,y,c\n"1,234",5%,a\n"2,345",7%,b\n',
    "x;y;c\n1 234;(3);a\n2 345;4;b\n",
]


def compared(open_page, address, texts):
    """The answers of the page and of the library to pasted texts."""
    bodies = [{"text": text, "name": "pasted text"} for text in texts]
    mine = ask_all(open_page(address), [["text", body] for body in bodies])
    return list(zip(texts, mine, [served("text", body) for body in bodies], strict=True))


def test_a_table_is_read_as_by_the_library(site, open_page):
    for text, mine, theirs in compared(open_page, site, TABLES):
        assert "error" not in theirs, text
        assert mine == theirs, text


DATES = {
    "year first": ["2024-02-29", "2023-12-31", "1969-07-20"],
    "year first with a time": ["2024-02-29 23:59:59", "2023-12-31T00:00", "1969-07-20 02:56:15Z"],
    "day first": ["29.02.2024", "31.12.2023", "20.07.1969"],
    "day first or month first": ["01/02/2024", "03/04/2023", "05/06/1969"],
    "month first": ["02/29/2024", "12/31/2023", "07/20/1969"],
    "two digits": ["29.02.24", "31.12.68", "20.07.69"],
    "words": ["29 Feb 2024", "31 December 2023", "20 Jul 1969"],
    "American words": ["Feb 29, 2024", "December 31, 2023", "Jul 20, 1969 9:15 PM"],
    "words with dashes": ["29-Feb-24", "31-Dec-23", "20-Jul-69"],
    "German words": ["29. Februar 2024", "31. Dez. 2023", "1. März 1969"],
    "French words": ["29 févr. 2024", "31 août 2023", "20 juillet 1969"],
    "times": ["9:30", "23:59:59", "12:05 am"],
    "no such day": ["30.02.2024", "31.04.2023", "20.07.1969"],
}


def test_dates_become_the_same_features_as_in_the_installed_lab(site, open_page):
    tables = ["\n".join(f'"{day}",{k},{"ab"[k % 2]}' for k, day in enumerate(days)) for days in DATES.values()]
    texts = [header + table for header in ("day,size,class\n", "") for table in tables]
    for (text, mine, theirs), name in zip(compared(open_page, site, texts), [*DATES, *DATES], strict=True):
        assert mine == theirs, text
        if name != "no such day":
            assert any(column.endswith((" year", " hour")) for column in mine["columns"]), text


REFUSED_TABLES = [
    "day,size,class\n2024-01-01,1,a\n2024-01-02,2,b\n,3,a\n",
    "day,size,class\n" + "".join(f"2024-01-{k:02},{k},{'ab'[k % 2]}\n" for k in range(1, 29)) + "soon,3,a\n",
    "a,b,c\n1,,x\n2,,y\n3,4,y\n",
    "a,b,c\n1,1e999,x\n2,3,y\n",
    "a,b,c\n1,2,x\n2,-1e999,y\n3,1e999,y\n",
    "x;y;c\n1,5;2;a\nfünf;3;b\n2,5;4;a\n",
    "text,b,c\n" + "".join(f"this is sentence number {k},1,{'ab'[k % 2]}\n" for k in range(30)),
    "a,b,c\n" + "".join(f"1,2,{k}\n" for k in range(11)),
    "1,2,a\n3,4\n",
    "a,b,c\n1,n/a,x\n2,#N/A,y\n3,4,y\n",
]


def test_a_table_is_refused_in_the_words_of_the_installed_lab(site, open_page):
    for text, mine, theirs in compared(open_page, site, REFUSED_TABLES):
        assert mine == {"error": theirs["error"]}, text


def scores_of(answer):
    return np.frombuffer(base64.b64decode(answer["grid"]["scores"]["data"]))


def test_a_kernel_finds_the_same_path_as_in_the_library(site, open_page):
    page = open_page(site)
    body = {
        "x": [[0, 0], [0, 1], [1, 0], [1, 1], [0.3, 2]],
        "y": [0, 1, 1, 0, 1],
        "frame": [-1, 2, -1, 2],
        "size": [9, 7],
    }
    for kernel in ("rbf", "poly", "laplacian", "linear"):
        asked = body | {"method": "kernel", "kernel": kernel, "gamma": "scale", "degree": 2, "coef0": 1}
        mine, theirs = ask(page, "nonlinear", asked), served("nonlinear", asked)
        for key in ("ending", "support", "errors", "alphas", "gram", "python"):
            assert mine[key] == theirs[key], (kernel, key)
        assert scores_of(mine) == pytest.approx(scores_of(theirs), rel=1e-9, abs=1e-9)
    asked = body | {"method": "features", "features": "quadratic"}
    mine, theirs = ask(page, "nonlinear", asked), served("nonlinear", asked)
    assert scores_of(mine) == pytest.approx(scores_of(theirs), rel=1e-9, abs=1e-9)
    assert {**mine, "grid": None} == {**theirs, "grid": None}
