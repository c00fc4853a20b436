"""Figures show what they are given, and say what they leave out."""

import re
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import Perceptron, data, lab, plot, textbook
from rosenblatt.plot import themes
from tests.cli.running import done

AND = data.load("and")
SIGNS = np.where(AND.y == 1, 1, -1)


def fitted(columns):
    iris = data.load("iris")
    chosen = iris.y != "virginica"
    X = iris.X[chosen][:, columns]
    return Perceptron().fit(X, iris.y[chosen]), X, iris.y[chosen]


def test_regions_hold_the_other_features_at_their_median_and_say_so():
    model, X, y = fitted([0, 1, 2, 3])
    asked = []

    def predict(rows):
        asked.append(rows)
        return model.predict(rows)

    figure = plot.regions(predict, X, y, pair=(2, 3), feature_names=list("abcd"))
    [ax] = figure.axes
    assert ax.get_title() == "Decision regions (2 other features at the median)"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("c", "d")
    grid = asked[0]
    assert np.all(grid[:, :2] == np.median(X, axis=0)[:2])
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"setosa", "versicolor"}


def test_regions_ring_misclassified_examples():
    figure = plot.regions(lambda rows: np.zeros(len(rows), int), AND.X, AND.y)
    assert "misclassified" in {text.get_text() for text in figure.axes[0].get_legend().get_texts()}


def test_regions_need_two_different_features():
    with pytest.raises(ValueError, match="need two features"):
        plot.regions(len, [[1], [2]], [0, 1])
    with pytest.raises(ValueError, match="two different columns"):
        plot.regions(len, AND.X, AND.y, pair=(1, 1))


def test_mistakes_are_drawn_with_their_bound():
    model = Perceptron(order="cyclic").fit(AND.X, AND.y)
    above, below = plot.mistakes(model.history_, bound=153).axes
    assert above.lines[0].get_ydata().sum() == model.n_mistakes_ == below.lines[0].get_ydata()[-1]
    assert "153" in below.get_legend().get_texts()[1].get_text()
    assert "no bound" in plot.mistakes(model.history_).axes[1].texts[0].get_text()


def test_margins_count_the_wrong_side():
    figure = plot.margins([-2.0, -1.0, 1.0, 3.0, -0.5], ["a", "a", "a", "b", "b"])
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["a (1 of 3 on the wrong side)", "b (1 of 2 on the wrong side)"]


def test_confusion_writes_its_counts():
    figure = plot.confusion([[5, 1], [0, 4]], ["ham", "spam"])
    assert {text.get_text() for text in figure.axes[0].texts} == {"5", "1", "4"}
    assert figure.axes[0].get_title() == "1 of 10 misclassified"


def test_a_trace_has_one_panel_a_mistake_and_says_which_it_leaves_out():
    steps = textbook.run(textbook.online(AND.X, SIGNS)).steps
    figure = plot.trace(steps, AND.X, SIGNS, most=6)
    titles = [ax.get_title() for ax in figure.axes if ax.get_visible()]
    assert [title.split(",")[0] for title in titles] == [f"mistake {k}" for k in (1, 2, 3, 16, 17, 18)]
    assert "(6 of 18)" in figure.get_suptitle()
    assert len(plot.trace(steps[:2], AND.X, SIGNS).axes) >= 1


def test_a_trace_draws_both_classes_whatever_their_labels_and_lines_that_pass_the_examples_by():
    lecture = data.load("lecture4")
    start = {"coef_init": [[0, 1]], "intercept_init": [-5]}
    fitted = Perceptron(tie="negative", order="cyclic", record=True).fit(lecture.X, ["dot", "a triangle"], **start)
    figure = plot.trace(fitted.trace_, lecture.X, ["dot", "a triangle"])
    shown = [ax for ax in figure.axes if ax.get_visible()]
    assert len(shown) == 7
    for ax in shown:
        triangle, dot, _ = (collection.get_offsets().tolist() for collection in ax.collections)
        assert (triangle, dot) == ([[2, 6]], [[5, 7]])
        _, after = ax.lines
        across = np.linspace(*ax.get_xlim(), 200)
        heights = np.interp(across, *zip(*sorted(after.get_xydata().tolist()), strict=True))
        low, high = ax.get_ylim()
        assert ((low <= heights) & (heights <= high)).any(), "the line after the mistake is out of sight"


def test_the_classes_of_a_trace_have_the_shapes_and_colours_of_the_lab():
    [file] = (Path(lab.__file__).parent / "static").rglob("looks.js")
    looks = file.read_text(encoding="utf-8")
    shapes = re.search(r"SHAPES = \[(.*?)\]", looks)[1].replace('"', "").split(", ")
    assert [{"triangle": "^", "circle": "o"}[shape] for shape in shapes[:2]] == list(themes.MARKERS)
    for name, theme in themes.THEMES.items():
        block = re.search(rf"{name}: \{{(.*?)\n  \}}", looks, flags=re.DOTALL)[1]
        classes = re.search(r"classes: \[(.*?)\]", block)[1].replace('"', "").split(", ")
        assert tuple(classes[:2]) == theme.classes
        for key in ("paper", "grid", "axis", "ink", "soft", "ghost", "change"):
            assert f'{key}: "{getattr(theme, key)}"' in block
        assert f"region: {theme.region}" in block
    figure = plot.trace(textbook.run(textbook.online(AND.X, SIGNS)).steps, AND.X, SIGNS)
    marked = figure.axes[0].collections[:2]
    drawn = [tuple(round(255 * value) for value in marks.get_facecolor()[0][:3]) for marks in marked]
    assert drawn == [(0xC8, 0x50, 0x0A), (0x0A, 0x6A, 0xA8)]
    corners = [len(marks.get_paths()[0].vertices) for marks in marked]
    assert corners[0] == 4 < corners[1]


def test_a_trace_is_of_two_classes():
    with pytest.raises(ValueError, match="two classes; y has 3"):
        plot.trace(textbook.run(textbook.online(AND.X, SIGNS)).steps, AND.X, [0, 1, 2, 0])


def test_a_notebook_shows_a_figure():
    assert plot.confusion([[1, 0], [0, 1]], [0, 1])._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_a_figure_is_written_in_every_format(form):
    content = plot.to_bytes(plot.confusion([[1, 0], [0, 1]], [0, 1]), form)
    assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])


@pytest.mark.slow
def test_the_command_line_draws_every_kind(tmp_path):
    for kind in ("auto", "regions", "mistakes", "margins", "confusion"):
        done("train", "@circles", "--max-iter", 5, "--plot", tmp_path / f"{kind}.png", "--plot-kind", kind)
    done("trace", "@and", "--plot", tmp_path / "trace.svg")
    done("train", "@and", "-o", tmp_path / "m.json")
    done("evaluate", tmp_path / "m.json", "@xor", "--plot", tmp_path / "confusion.pdf")
    assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())
