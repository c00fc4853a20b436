"""The sentences of the engine, in Python and in the browser: each is in the catalogue, so that it can be translated."""

import ast
import json
import re
from pathlib import Path

import pytest

import rosenblatt.lab
from rosenblatt import conventions, data
from rosenblatt.conventions import value_kinds
from rosenblatt.lab.jobs.service import Service
from rosenblatt.lab.page.assets import STATIC
from rosenblatt.learning.parameters import TABLE
from tests.lab.test_strings import CATALOGUES, ENGLISH, OTHERS

PACKAGE = Path(rosenblatt.lab.__file__).parent
LIBRARY = PACKAGE.parent
RAISED = {"RefusedError", "DataError", "BusyError", "StartError", "_failed", "refuse", "ExpressionError", "_error"}
RAISED_IN_NOTEBOOKS = PACKAGE / "notebook.py"  # a person reads those in a cell, as any error of Python
VALUE = "7"
LITERAL = re.compile(r"""["`]((?:\$\{(?:[^{}]|\{[^{}]*\})*\}|\\.|[^"`])*)["`]""")


def patterns(group):
    """The English texts of a group, the most specific first, as ui/messages.js matches them."""
    found = []
    for key, entry in ENGLISH.items():
        if key.startswith(group) and isinstance(entry, str):
            pieces = re.split(r"\{(\w+)\}", entry)
            pattern = "(.+?)".join(re.escape(piece) for piece in pieces[::2])
            found.append((key, pieces[1::2], re.compile(pattern, re.DOTALL), len("".join(pieces[::2]))))
    return sorted(found, key=lambda entry: -entry[3])


def translated(message, language, group="error."):
    """The same as `translated` of ui/messages.js, which a test in a browser compares."""
    for key, names, pattern, _length in patterns(group):
        if match := pattern.fullmatch(message):
            values = {name: translated(match[k + 1], language, group) for k, name in enumerate(names)}
            return CATALOGUES[language][key].format(**values)
    return message


def key_of(message):
    return next((key for key, _names, pattern, _length in patterns("error.") if pattern.fullmatch(message)), None)


def text_of(node):
    """The text of a string or f-string, with `VALUE` for each value; otherwise None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else VALUE for part in node.values)
    return None


def python_sentences():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            texts = []
            if isinstance(node, ast.Call) and path != RAISED_IN_NOTEBOOKS:
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                texts = [text_of(argument) for argument in node.args] if name in RAISED else []
                if name == "refuse":  # which completes the sentence
                    texts = [f"{text}." for text in texts if text]
            elif isinstance(node, ast.Tuple) and re.match(r"\(4\d\d, f?['\"]", ast.unparse(node)):
                texts = [f"{text_of(node.elts[1])}."]  # a status and the reason
            elif isinstance(node, ast.FunctionDef) and node.name == "_why":
                texts = [text_of(inner.value) for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ENTRY":
                texts = [f"{text_of(node.value)}."]
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                texts = [text_of(value) for key, value in pairs if key and text_of(key) == "message"]
            yield from ((f"{path.name}:{node.lineno}", text) for text in texts if text)


def browser_sentences():
    for path in sorted((STATIC / "engine").rglob("*.js")):
        source = path.read_text("utf-8")
        for call in re.finditer(r"(?:refuse|fail|refuseMany|new Error)\((?=[\"`])|const message = .*?: (?=`)", source):
            found = LITERAL.match(source, call.end())
            text = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", VALUE, found[1]).replace("\\`", "`").replace("\\n", "\n")
            yield f"{path.name}:{source[: call.start()].count(chr(10)) + 1}", text


SENTENCES = [*python_sentences(), *browser_sentences()]


def test_the_sentences_are_found():
    assert len(SENTENCES) > 90
    assert {"request_values.py", "worker_pool.py", "tiling.js", "expression.js", "worker.js"} <= {
        place.partition(":")[0] for place, _text in SENTENCES
    }


@pytest.mark.parametrize(("place", "text"), SENTENCES)
def test_every_sentence_of_the_lab_is_in_the_catalogue(place, text):
    assert key_of(text), f"{place} says {text!r}, which strings/en.json does not list under error."


X, Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]


def run(**rule):
    return "run", {"x": X, "y": Y, "rule": rule}


def pasted(text):
    return "text", {"text": text, "name": "f.csv"}


REFUSED = [
    *(run(**{name: value}) for name, value in {"eta0": 0, "max_iter": 0, "patience": 0, "random_state": -1}.items()),
    *(run(**{name: "odd"}) for name in ("tie", "order", "init", "fit_intercept", "multi_class", "max_error")),
    run(max_steps=10**9),
    run(eta0=1e300),
    run(algorithm="margin", margin=-1),
    (
        "run",
        {"x": [[1e149, 1], [1e149, 2]], "y": [0, 1], "rule": {"eta0": 1e12, "algorithm": "margin", "margin": 1e12}},
    ),
    run(algorithm="pa", rivals="all"),
    run(init="given", start=[1]),
    ("run", {"x": [[1, 2], [3]], "y": [0, 1]}),
    ("run", {"x": [[1, 2, 3], [3]], "y": [0, 1]}),
    ("data", {"name": "none"}),
    ("nonlinear", {"x": X, "y": Y, "frame": [0, 1, 0, 1], "method": "kernel", "kernel": "poly", "degree": 99}),
    (
        "nonlinear",
        {"x": [[1e100, 1], [-1e100, 2], [0, 0]], "y": [0, 1, 0], "frame": [0, 1, 0, 1]}
        | {"method": "kernel", "kernel": "poly", "degree": 10},
    ),
    *(
        ("boolean", {"expression": text})
        for text in ("a and", "(a or ,", "a b", "(a", "a)", "a & 2", "majority a", "atleast(x, a)", "atleast(2 a)")
    ),
    *(("boolean", {"expression": text}) for text in ("atleast(5, a, b)", "a ? b", "", "majority(a b)", "(" * 300)),
    ("boolean", {"expression": " and ".join("abcdefgh")}),
    ("boolean", {"table": "011"}),
    ("boolean", {"table": "01", "variables": ["a", "b"]}),
    ("boolean", {"table": "0110", "variables": ["a", "a"]}),
    *map(
        pasted,
        ("", "a,b,c\n", "1,2,x\n3,4", "1,2,x\n3,4,y\n5,,x\n", "1,2,x\n3,nan,y\n", "1,2,1.5\n3,4,2.5\n", "1\n2\n"),
    ),
    *map(pasted, ("1,2,x\n3,foo,y\n4,5,x\n", 'a,b,c\n"1,2,3\n', "\x00\x01", "x,y,label\n1e999,2,a\n3,4,b\n")),
    *map(pasted, ("x,y,label\n1,2,a\n-1e999,4,b\n1e999,3,a\n", "x,y,label\n1,,a\n2,,b\n3,4,a\n")),
    pasted("x,y,label\n" + "".join(f"this is sentence number {k},1,{'ab'[k % 2]}\n" for k in range(30))),
    *map(pasted, ("x,y,label,\n1,2,a\n3,4,b\n", "x,y,label\n1,2,\n3,4,\n")),
    *map(pasted, ("x,y,label\n1,2,a,9\n3,4,b\n", "x,y,label\n,,a\n,,b\n", "x,y,label\n,1,a\n,2,b\n3,4,c\n5,6,a\n")),
    pasted("x,y,label\n" + "".join(f"{k},{k},{k}\n" for k in range(20))),
    pasted("x,y,label\n" + "1,2,a\n" * 10_001),
    pasted("x1,x2,y\n" + "".join(f"1,2,{k}\n" for k in range(11)) * 2),
]
ENGLISH_WORDS = re.compile(r"\b(the|is|of|must|has|have|are|not|from|which|a number|or|and)\b")


@pytest.mark.parametrize(("job", "body"), REFUSED)
@pytest.mark.parametrize("language", OTHERS)
def test_a_refusal_of_the_library_is_translated_whole(language, job, body):
    event, answer = Service().answer(job, json.dumps(body), lambda _progress: None)
    message = json.loads(answer)["message"]
    assert event == "refused", message
    assert key_of(message), message
    words = translated(message, language).partition("\n")[0]  # an expression that is quoted below stays as it is
    for code in ("a and (b or not c)", ", ".join(data.names())):
        words = words.replace(code, "")
    assert not ENGLISH_WORDS.search(words), words


def test_every_error_text_is_a_sentence_that_somebody_says():
    """A text under error. is used by a module of the page, or matches a sentence of the engine or of the library."""
    said = set()
    modules = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.js"))
    answers = [Service().answer(job, json.dumps(body), lambda _progress: None)[1] for job, body in REFUSED]
    queue = [text for _place, text in SENTENCES] + [json.loads(answer)["message"] for answer in answers]
    queue += [kind.means for kind in vars(value_kinds).values() if isinstance(kind, value_kinds.Kind)]
    queue += [parameter.kind.means for parameter in TABLE.values()]
    while queue:  # a value can itself be a text of the catalogue
        message = queue.pop()
        for key, _names, pattern, _length in patterns("error."):
            if match := pattern.fullmatch(message):
                said.add(key)
                queue.extend(match.groups())
                break
    said |= {"error.status", "error.start_failed"}  # the server joins these two from other sentences
    rare = "".join(path.read_text("utf-8") for name in ("data", "learning") for path in (LIBRARY / name).rglob("*.py"))
    for key, entry in ENGLISH.items():
        if key.startswith("error.") and key not in said and f'"{key}"' not in modules:
            longest = max(re.split(r"\{\w+\}", entry), key=len)
            assert longest.strip(". (") in rare, f"nobody says {key}: {entry}"


DIALECTS = [
    *(getattr(conventions, name) for name in ("L0", "L1", "L1_offset", "L2", "L3", "L4")),
    {"tie": "positive", "error_tie": "mistake", "init": "random", "init_scale": 0.25, "order": "shuffle", "eta0": 0.5},
    {
        "tie": "negative",
        "max_iter": 3,
        "max_steps": 9,
        "max_updates": 4,
        "patience": 8,
        "margin": 0.5,
        "max_error": 0.1,
    },
    {"step": "pa1"},
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("language", OTHERS)
def test_every_choice_of_a_rule_is_translated(language, dialect):
    for choice in conventions.describe(dialect).split(", "):
        assert translated(choice, language, "words.") != choice
