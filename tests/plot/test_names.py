"""Names of classes and columns are drawn literally: none is a formula, and none breaks a figure."""

import csv
import warnings
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import mathtext
from matplotlib.text import Text

from rosenblatt import Perceptron, boolean, plot, textbook
from tests.cli.running import done

FORMULAS = ["$x^2$", "$\\frac{", "a_b", "5$ or 6$", "\\alpha", "\\$", "x^{", "_hidden"]
X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
SIGNS = np.array([-1, -1, -1, 1])


def drawn(figure, form="svg"):
    """The bytes of a figure; a warning about a glyph that the font lacks does not matter."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"(?s)Glyph .* missing from")
        return plot.to_bytes(figure, form)


def figures(name, other):
    labels = np.where(SIGNS > 0, name, other)
    names = [name, other]
    model = Perceptron(order="cyclic").fit(X, labels)
    steps = textbook.run(textbook.online(X, SIGNS)).steps
    return {
        "confusion": plot.confusion([[3, 1], [0, 4]], names),
        "regions": plot.regions(model, X, labels, feature_names=names),
        "margins": plot.margins(model.decision_function(X), labels),
        "trace": plot.trace(steps, X, SIGNS, feature_names=names),
    }


@pytest.fixture
def parsed(monkeypatch):
    """The texts that are taken for formulas while figures are drawn."""
    found = []
    parse = mathtext.MathTextParser.parse

    def watched(self, s, *args, **kwargs):
        found.append(s)
        return parse(self, s, *args, **kwargs)

    monkeypatch.setattr(mathtext.MathTextParser, "parse", watched)
    return found


def assert_literal(figure, names):
    texts = [text for text in figure.findobj(Text) if any(name in text.get_text() for name in names)]
    assert not any(text.get_parse_math() or text.get_usetex() for text in texts)
    for name in names:
        assert any(text.get_text().startswith(name) for text in texts), name


def test_every_class_of_a_confusion_is_named_literally():
    assert_literal(plot.confusion(np.eye(len(FORMULAS), dtype=int), FORMULAS), FORMULAS)


def test_every_class_and_column_of_regions_is_named_literally():
    classes = sorted(FORMULAS)
    rows = np.array([[float(k), float(k % 3)] for k in range(len(classes))])

    def predict(X):
        return np.array(classes)[np.clip(np.round(X[:, 0]), 0, len(classes) - 1).astype(int)]

    assert_literal(plot.regions(predict, rows, classes, feature_names=["$u$", "_v"]), [*classes, "$u$", "_v"])


@pytest.mark.parametrize("name", FORMULAS)
def test_both_classes_of_margins_are_named_literally(name):
    labels = [name, f"{name}2", name]
    assert_literal(plot.margins([-1.0, 1.0, 2.0], labels), labels)


def test_the_columns_of_a_trace_are_named_literally():
    steps = textbook.run(textbook.online(X, SIGNS)).steps
    assert_literal(plot.trace(steps, X, SIGNS, feature_names=FORMULAS[:2]), FORMULAS[:2])


@pytest.mark.slow
def test_a_name_that_is_no_formula_does_not_break_a_drawing(parsed):
    for kind, figure in figures("$\\frac{$", "$x^2$").items():
        drawn(figure)
        assert not parsed, kind


def test_names_are_literal_under_a_users_own_settings(parsed):
    with mpl.rc_context({"text.usetex": True}):
        made = figures("$x^2$", "b_1")
    for kind, figure in made.items():
        for text in figure.findobj(Text):
            if "x^2" in text.get_text() or "b_1" in text.get_text():
                assert not text.get_usetex(), kind


def test_numbers_of_a_logarithmic_axis_are_still_set_as_powers(parsed):
    history = Perceptron(order="cyclic").fit(X, SIGNS).history_
    drawn(plot.mistakes(history, bound=1e6, title="$x^2$ of 3$"))
    assert any("10^" in text for text in parsed)
    assert not any("x^2" in text for text in parsed)


@pytest.mark.slow
def test_a_figure_with_unusual_names_is_a_complete_file():
    strange = ["\x1b\n\0", "a--<&>\ufffe"]
    for figure in figures(*strange).values():
        ElementTree.fromstring(drawn(figure))
    unit = boolean.ThresholdUnit([1, 1], -1.5, strange)
    network = boolean.Network([unit], boolean.ThresholdUnit([1], -0.5, ["h"]), unit.variables)
    ElementTree.fromstring(network.to_svg())
    ElementTree.fromstring(drawn(network.draw().figure))


def test_a_drawn_circuit_shows_its_variables_literally(parsed):
    unit = boolean.ThresholdUnit([1, 1], -1.5, ["$x^2$", "$\\frac{"])
    network = boolean.Network([unit], boolean.ThresholdUnit([1], -0.5, ["h"]), ["$x^2$", "$\\frac{"])
    drawn(network.draw(title="$x$ and $\\frac{").figure)
    assert not parsed


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regions", "mistakes", "margins", "confusion"])
def test_the_command_draws_names_with_dollars(tmp_path, parsed, kind):
    with open(tmp_path / "$a$.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["$\\frac{", "$x_1$", "class"])
        writer.writerows([k * 1.5, k % 7, "$\\a{" if k < 10 else "5$ to $6"] for k in range(20))
    done("train", tmp_path / "$a$.csv", "--plot", tmp_path / "p.svg", "--plot-kind", kind, "-o", tmp_path / "m.json")
    done("evaluate", tmp_path / "m.json", tmp_path / "$a$.csv", "--plot", tmp_path / "c.png")
    done("trace", tmp_path / "$a$.csv", "--plot", tmp_path / "t.svg", "--steps", 20)
    assert not [text for text in parsed if "mathdefault" not in text]
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("p.svg", "c.png", "t.svg"))
